cwlVersion: v1.2
class: CommandLineTool
label: Slice montage
doc: |
  Draws three slices of a volume side by side: axial, coronal and sagittal, through the centroid of the mask's
  largest component (26-connected), or through the middle where the mask is empty. The outline of the mask is
  orange. Left is left and the front is up in the axial slice; the front is right in the sagittal one.

  Slices are sampled in space by linear interpolation, so that voxels of any shape and storage order look right.
  Grey is the intensity between the least and the greatest to the power of 0.7, to show faint tissue next to
  bright lesions.
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
      location: slice-montage.mjs
      secondaryFiles:
        - { class: File, location: ../../../lib/imaging/1.0.0/tool.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/nifti.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/components.mjs }
        - { class: File, location: ../../../lib/imaging/1.0.0/png.mjs }
    inputBinding: { position: 0 }
  - id: image
    type: File
    label: Image
    doc: The NIfTI-1 volume to show, `.nii` or `.nii.gz`.
    inputBinding: { position: 1, prefix: --image=, separate: false }
  - id: mask
    type: File
    label: Mask
    doc: The mask to outline, on the same grid as the image.
    inputBinding: { position: 1, prefix: --mask=, separate: false }
  - id: subject
    type: string
    label: Subject
    doc: Id of the subject; it names the result.
    inputBinding: { position: 1, prefix: --subject=, separate: false }
  - id: pixel_mm
    type: float
    label: Pixel size
    doc: Size of a pixel of the picture, in mm.
    default: 1.5
    inputBinding: { position: 1, prefix: --pixel-mm=, separate: false }
outputs:
  - id: picture
    type: File
    label: Picture
    doc: The three slices, `<subject>_slices.png`.
    format: http://edamontology.org/format_3603
    outputBinding: { glob: "*_slices.png" }
