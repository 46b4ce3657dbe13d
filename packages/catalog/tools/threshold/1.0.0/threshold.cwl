cwlVersion: v1.2
class: CommandLineTool
label: Threshold
doc: |
  Makes a mask of the voxels whose value is at least a threshold: the one given, else the mean of the image.

  Version 2.0.0 finds the threshold by Otsu's method and can keep the largest component only. This version
  stays for networks that were measured with it.
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
      location: threshold.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/nifti.mjs }
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
  - id: threshold
    type: float?
    label: Threshold
    doc: The threshold in units of intensity; without it, the mean of the image.
    inputBinding: { position: 1, prefix: --threshold=, separate: false }
outputs:
  - id: mask
    type: File
    label: Mask
    doc: 1 inside, 0 outside, `<subject>_mask.nii`.
    format: http://edamontology.org/format_3549
    outputBinding: { glob: "*_mask.nii" }
