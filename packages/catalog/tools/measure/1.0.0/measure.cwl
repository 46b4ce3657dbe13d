cwlVersion: v1.2
class: CommandLineTool
label: Measures of a mask
doc: |
  Measures one subject's mask and the intensities of an image inside it, and writes them as JSON:

  - `volume_mm3`, `volume_ml`: number of voxels times the volume of a voxel
  - `components`, `component_volumes_ml`: connected components, the greatest first
  - `centroid_mm`: mean position of the mask's voxels in space, through the affine of the header (x to the
    right, y to the front, z upwards)
  - `mean_intensity`, `sd_intensity`, `min_intensity`, `max_intensity`: statistics of the image inside the mask; the
    standard deviation is the sample's (divisor n - 1)

  Figures that an empty mask can not have are null. A voxel is inside where the mask is at least 0.5.
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
      location: measure.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/nifti.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/components.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/statistics.mjs }
    inputBinding: { position: 0 }
  - id: image
    type: File
    label: Image
    doc: The NIfTI-1 volume whose intensities are measured, `.nii` or `.nii.gz`.
    inputBinding: { position: 1, prefix: --image=, separate: false }
  - id: mask
    type: File
    label: Mask
    doc: The mask, on the same grid as the image.
    inputBinding: { position: 1, prefix: --mask=, separate: false }
  - id: subject
    type: string
    label: Subject
    doc: Id of the subject; it is written into the measures and names the file.
    inputBinding: { position: 1, prefix: --subject=, separate: false }
  - id: connectivity
    type:
      type: enum
      symbols: ["6", "18", "26"]
    label: Connectivity
    doc: Which voxels touch; 6 share a face, 18 at least an edge, 26 at least a corner.
    default: "26"
    inputBinding: { position: 1, prefix: --connectivity=, separate: false }
  - id: threshold
    type: float?
    label: Threshold
    doc: The threshold that made the mask, to be written down with the measures.
    inputBinding: { position: 1, prefix: --threshold=, separate: false }
outputs:
  - id: measures
    type: File
    label: Measures
    doc: The measures of the subject, `<subject>_measures.json`.
    format: http://edamontology.org/format_3464
    outputBinding: { glob: "*_measures.json" }
