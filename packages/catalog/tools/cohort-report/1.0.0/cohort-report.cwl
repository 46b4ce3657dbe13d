cwlVersion: v1.2
class: CommandLineTool
label: Cohort report
doc: |
  Writes one self-contained HTML page about a cohort: key figures, a bar chart of volumes, the slices of every
  subject, a table of all measures and the statistics of the cohort. The page has no scripts and asks for
  nothing from outside, follows the reader's light or dark setting, and prints.
requirements:
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 256
hints:
  - class: SoftwareRequirement
    packages:
      - package: nodejs
        version: ["20", "26"]
        specs: [https://nodejs.org/]
baseCommand: [node, --preserve-symlinks, --preserve-symlinks-main]
inputs:
  - id: script
    type: File
    label: Program
    doc: The program of this tool.
    default:
      class: File
      location: cohort-report.mjs
      secondaryFiles:
        - { class: File, location: page.mjs }
        - { class: File, location: bar-chart.mjs }
        - { class: File, location: text.mjs }
        - { class: File, location: style.css }
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/measures.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/statistics.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/png.mjs }
    inputBinding: { position: 0 }
  - id: measures
    type:
      type: array
      items: File
      inputBinding: { prefix: --measures=, separate: false }
    label: Measures
    doc: The measures of each subject, as the tool `measure` writes them.
    inputBinding: { position: 1 }
  - id: pictures
    type:
      - "null"
      - type: array
        items: File
        inputBinding: { prefix: --picture=, separate: false }
    label: Pictures
    doc: One PNG per subject, in the order of the measures; without them the page has no slices.
    inputBinding: { position: 2 }
  - id: title
    type: string
    label: Title
    doc: Title of the page.
    default: Imaging cohort
    inputBinding: { position: 3, prefix: --title=, separate: false }
  - id: fwhm_mm
    type: float?
    label: Smoothing FWHM (mm)
    doc: Full width at half maximum of the smoothing, in mm, to be mentioned under "How this was made".
    inputBinding: { position: 3, prefix: --fwhm-mm=, separate: false }
  - id: method
    type:
      - "null"
      - type: enum
        symbols: [otsu, mean, fixed]
    label: Threshold method
    doc: The method, to be mentioned under "How this was made".
    inputBinding: { position: 3, prefix: --method=, separate: false }
outputs:
  - id: report
    type: File
    label: Report
    doc: The page, `report.html`.
    format: http://edamontology.org/format_2331
    outputBinding: { glob: report.html }
