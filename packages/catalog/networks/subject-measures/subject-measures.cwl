cwlVersion: v1.2
class: Workflow
label: Subject measures
doc: |
  Smooths one volume, makes a mask by a threshold, measures the mask and draws three slices. The mask comes from
  the smoothed image, intensities are measured in the original one.

  `imaging-cohort` runs this network for every subject of a cohort.
inputs:
  - id: image
    type: File
    label: Image
    doc: A NIfTI-1 volume, `.nii` or `.nii.gz`.
  - id: subject
    type: string
    label: Subject
    doc: Id of the subject; it names all results.
  - id: fwhm_mm
    type: float
    label: Smoothing FWHM (mm)
    doc: Full width at half maximum of the Gaussian, in mm. Zero means no smoothing.
    default: 6
  - id: threshold_method
    type:
      type: enum
      symbols: [otsu, mean, fixed]
    label: Threshold method
    doc: How the threshold is found; `fixed` requires a threshold.
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
outputs:
  - id: measures
    type: File
    label: Measures
    doc: The measures as JSON.
    outputSource: measure/measures
  - id: smoothed
    type: File
    label: Smoothed image
    doc: The volume the threshold was applied to.
    outputSource: smooth/smoothed
  - id: mask
    type: File
    label: Mask
    doc: 1 inside, 0 outside.
    outputSource: threshold/mask
  - id: picture
    type: File
    label: Slices
    doc: Three slices with the outline of the mask, as PNG.
    outputSource: draw/picture
  - id: threshold_used
    type: float
    label: Threshold used
    doc: The threshold in units of intensity.
    outputSource: threshold/threshold_used
steps:
  - id: smooth
    label: Smooth
    run: ../../tools/smooth/1.0.0/smooth.cwl
    in:
      - { id: image, source: image }
      - { id: subject, source: subject }
      - { id: fwhm_mm, source: fwhm_mm }
    out: [smoothed]
  - id: threshold
    label: Threshold
    run: ../../tools/threshold/2.0.0/threshold.cwl
    in:
      - { id: image, source: smooth/smoothed }
      - { id: subject, source: subject }
      - { id: method, source: threshold_method }
      - { id: threshold, source: threshold }
      - { id: largest_component, source: largest_component }
      - { id: connectivity, source: connectivity }
    out: [mask, threshold_used]
  - id: measure
    label: Measure
    run: ../../tools/measure/1.0.0/measure.cwl
    in:
      - { id: image, source: image }
      - { id: mask, source: threshold/mask }
      - { id: subject, source: subject }
      - { id: connectivity, source: connectivity }
      - { id: threshold, source: threshold/threshold_used }
    out: [measures]
  - id: draw
    label: Draw slices
    run: ../../tools/slice-montage/1.0.0/slice-montage.cwl
    in:
      - { id: image, source: image }
      - { id: mask, source: threshold/mask }
      - { id: subject, source: subject }
    out: [picture]
