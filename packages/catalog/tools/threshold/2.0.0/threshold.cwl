cwlVersion: v1.2
class: CommandLineTool
label: Threshold
doc: |
  Makes a mask of the voxels whose value is at least a threshold, found by one of three methods:

  - `otsu`: the threshold that splits the values into two classes with the greatest variance between them, over
    a histogram of 256 bins from the least to the greatest value. Where several neighbouring bins are equally
    good, the middle of them is taken.
  - `mean`: the mean of the image, as version 1.0.0 did without a threshold.
  - `fixed`: the threshold given.

  New since 1.0.0: the method is named and Otsu's is the default; optionally only the largest component stays;
  the threshold used is an output; an image of one value only is refused instead of becoming a full mask.
requirements:
  - class: InlineJavascriptRequirement
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
      location: threshold.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/nifti.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/components.mjs }
    inputBinding: { position: 0 }
  - id: image
    type: File
    label: Image
    doc: A NIfTI-1 volume, `.nii` or `.nii.gz`.
    inputBinding: { position: 1, prefix: --image=, separate: false }
  - id: subject
    type: string
    label: Subject
    doc: Id of the subject; it names the result.
    inputBinding: { position: 1, prefix: --subject=, separate: false }
  - id: method
    type:
      type: enum
      symbols: [otsu, mean, fixed]
    label: Method
    doc: How the threshold is found.
    default: otsu
    inputBinding: { position: 1, prefix: --method=, separate: false }
  - id: threshold
    type: float?
    label: Fixed threshold
    doc: The threshold in units of intensity; needed by the method `fixed`, ignored by the others.
    inputBinding: { position: 1, prefix: --threshold=, separate: false }
  - id: largest_component
    type: boolean
    label: Largest component only
    doc: Keep the component with the most voxels and drop the others.
    default: false
    inputBinding: { position: 1, prefix: --largest-component }
  - id: connectivity
    type:
      type: enum
      symbols: ["6", "18", "26"]
    label: Connectivity
    doc: Which voxels touch; 6 share a face, 18 at least an edge, 26 at least a corner.
    default: "26"
    inputBinding: { position: 1, prefix: --connectivity=, separate: false }
outputs:
  - id: mask
    type: File
    label: Mask
    doc: 1 inside, 0 outside, `<subject>_mask.nii`.
    format: http://edamontology.org/format_3549
    outputBinding: { glob: "*_mask.nii" }
  - id: threshold_used
    type: float
    label: Threshold used
    doc: The threshold in units of intensity.
    outputBinding:
      glob: threshold.txt
      loadContents: true
      outputEval: $(Number(self[0].contents))
