cwlVersion: v1.2
class: Workflow
label: Imaging cohort
doc: |
  Measures a region in the image of every subject of a cohort and compares the subjects.

  1. **Name subjects**: an id for every image, from the file names or as given.
  2. **Measure subjects**: for each subject smoothing, threshold, measures and slices (`subject-measures`).
  3. **Gather**: one CSV row per subject, and the statistics of the cohort.
  4. **Report**: a page with a bar chart, the slices and the tables, unless it is switched off.

  The example works on six synthetic heads with bright lesions, which `phantom-cohort` made.
requirements:
  - class: ScatterFeatureRequirement
  - class: SubworkflowFeatureRequirement
inputs:
  - id: images
    type: File[]
    label: Images
    doc: One NIfTI-1 volume per subject, `.nii` or `.nii.gz`.
  - id: subjects
    type: string[]?
    label: Subjects
    doc: Ids in the order of the images; without them, they are taken from the file names.
  - id: fwhm_mm
    type: float
    label: Smoothing FWHM (mm)
    doc: Full width at half maximum of the Gaussian smoothing, in mm. Zero means no smoothing.
    default: 6
  - id: threshold_method
    type:
      type: enum
      symbols: [otsu, mean, fixed]
    label: Threshold method
    doc: |
      How the threshold is found: `otsu` splits the values of each image into two classes, `mean` takes the mean
      of each image, `fixed` takes the one given for all images.
    default: otsu
  - id: threshold
    type: float?
    label: Fixed threshold
    doc: The threshold in units of intensity, for the method `fixed`.
  - id: largest_component
    type: boolean
    label: Largest component only
    doc: Measure the component with the most voxels and drop the others.
    default: false
  - id: connectivity
    type:
      type: enum
      symbols: ["6", "18", "26"]
    label: Connectivity
    doc: "Which voxels are neighbors: 6 share a face, 18 at least an edge, 26 at least a corner."
    default: "26"
  - id: with_report
    type: boolean
    label: Write HTML report
    doc: Whether to write the HTML report; the tables are always written.
    default: true
  - id: report_title
    type: string
    label: Report title
    doc: Heading of the page.
    default: Imaging cohort
outputs:
  - id: table
    type: File
    label: Subject table
    doc: One row per subject, CSV.
    outputSource: gather/table
  - id: statistics
    type: File
    label: Cohort statistics
    doc: One row per measure, CSV.
    outputSource: gather/statistics
  - id: report
    type: File?
    label: Report
    doc: The HTML report about the cohort; absent if turned off.
    outputSource: report/report
  - id: measures
    type: File[]
    label: Measures
    doc: The measures of each subject, JSON.
    outputSource: measure_subjects/measures
  - id: masks
    type: File[]
    label: Masks
    doc: The mask of each subject, NIfTI-1.
    outputSource: measure_subjects/mask
  - id: smoothed
    type: File[]
    label: Smoothed images
    doc: The smoothed volume of each subject, NIfTI-1.
    outputSource: measure_subjects/smoothed
  - id: pictures
    type: File[]
    label: Slices
    doc: The slices of each subject, PNG.
    outputSource: measure_subjects/picture
  - id: thresholds_used
    type: float[]
    label: Thresholds used
    doc: The threshold of each subject, in units of intensity.
    outputSource: measure_subjects/threshold_used
steps:
  - id: name_subjects
    label: Name subjects
    run: ../../tools/name-subjects/1.0.0/name-subjects.cwl
    in:
      - { id: images, source: images }
      - { id: subjects, source: subjects }
    out: [subjects]
  - id: measure_subjects
    label: Measure subjects
    doc: One sub-network per subject.
    run: ../subject-measures/subject-measures.cwl
    scatter: [image, subject]
    scatterMethod: dotproduct
    in:
      - { id: image, source: images }
      - { id: subject, source: name_subjects/subjects }
      - { id: fwhm_mm, source: fwhm_mm }
      - { id: threshold_method, source: threshold_method }
      - { id: threshold, source: threshold }
      - { id: largest_component, source: largest_component }
      - { id: connectivity, source: connectivity }
    out: [measures, smoothed, mask, picture, threshold_used]
  - id: gather
    label: Gather
    run: ../../tools/gather-measures/1.0.0/gather-measures.cwl
    in:
      - { id: measures, source: measure_subjects/measures }
    out: [table, statistics]
  - id: report
    label: Report
    run: ../../tools/cohort-report/1.0.0/cohort-report.cwl
    when: $(inputs.wanted)
    in:
      - { id: wanted, source: with_report }
      - { id: measures, source: measure_subjects/measures }
      - { id: pictures, source: measure_subjects/picture }
      - { id: title, source: report_title }
      - { id: fwhm_mm, source: fwhm_mm }
      - { id: method, source: threshold_method }
    out: [report]
