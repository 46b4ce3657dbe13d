cwlVersion: v1.2
class: CommandLineTool
label: Phantom volume
doc: |
  Draws a synthetic head with bright lesions, as a tracer image might show it, and writes it as an unscaled
  8-bit NIfTI-1 volume. All shapes are ellipsoids; a voxel's value is the mean over 3 x 3 x 3 points inside it
  plus noise. Equal inputs give equal bytes on every machine.

  It also writes the truth: the centre, semi-axes and exact volume of every lesion.
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
      location: phantom.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/nifti.mjs }
    inputBinding: { position: 0 }
  - id: subject
    type: string
    label: Subject
    doc: Id of the subject; it names the files and has no influence on the picture.
    inputBinding: { position: 1, prefix: --subject=, separate: false }
  - id: seed
    type: int
    label: Seed
    doc: Seed of the random numbers that place the lesions and make the noise.
    inputBinding: { position: 1, prefix: --seed=, separate: false }
  - id: voxel_mm
    type: float[]
    label: Voxel size
    doc: Size of a voxel along x, y and z, in mm.
    default: [4.5, 4.5, 4.5]
    inputBinding: { position: 1, prefix: --voxel-mm=, separate: false, itemSeparator: "," }
  - id: lesions
    type: int
    label: Number of lesions
    doc: How many lesions to place; none is possible.
    default: 3
    inputBinding: { position: 1, prefix: --lesions=, separate: false }
  - id: noise_sd
    type: float
    label: Noise
    doc: Standard deviation of the noise, in units of intensity (air is 4, brain about 24, a lesion 170 to 230).
    default: 4
    inputBinding: { position: 1, prefix: --noise-sd=, separate: false }
outputs:
  - id: image
    type: File
    label: Volume
    doc: The volume, `<subject>.nii`.
    format: http://edamontology.org/format_3549
    outputBinding: { glob: "*.nii" }
  - id: truth
    type: File
    label: Truth
    doc: What was drawn, `<subject>_truth.json`, lengths in mm and volumes in ml.
    format: http://edamontology.org/format_3464
    outputBinding: { glob: "*_truth.json" }
