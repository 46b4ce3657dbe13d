cwlVersion: v1.2
class: CommandLineTool
label: Gather measures
doc: |
  Gathers the measures of all subjects into two tables: one row per subject, and one row per measure with its
  statistics over the cohort (n, mean, sample standard deviation, least, median, greatest). A figure that a
  subject does not have is an empty cell and does not count in n.

  Tables are CSV by RFC 4180 in UTF-8, lines end with a line feed, the decimal sign is a point. A subject
  that a spreadsheet would take for a formula (beginning with `=`, `+`, `-` or `@`) gets an apostrophe in front.
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
      location: gather-measures.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/measures.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/statistics.mjs }
    inputBinding: { position: 0 }
  - id: measures
    type:
      type: array
      items: File
      inputBinding: { prefix: --measures=, separate: false }
    label: Measures
    doc: The measures of each subject, as the tool `measure` writes them; the rows keep this order.
    inputBinding: { position: 1 }
outputs:
  - id: table
    type: File
    label: Table of subjects
    doc: One row per subject, `measures.csv`.
    format: http://edamontology.org/format_3752
    outputBinding: { glob: measures.csv }
  - id: statistics
    type: File
    label: Statistics of the cohort
    doc: One row per measure, `statistics.csv`.
    format: http://edamontology.org/format_3752
    outputBinding: { glob: statistics.csv }
