cwlVersion: v1.2
class: CommandLineTool
label: Gaussian smoothing
doc: |
  Smooths a volume with a 3-D Gaussian of a given full width at half maximum in mm, axis after axis. The width
  is turned into voxels by the voxel size of the image, so that anisotropic voxels are smoothed alike in space.

  The kernel is sampled at voxel centres out to four standard deviations. Near the border only the part inside
  the image counts and is made to sum to one: a constant image stays constant.
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
      location: smooth.mjs
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
  - id: fwhm_mm
    type: float
    label: Smoothing FWHM (mm)
    doc: Full width at half maximum of the Gaussian, in mm. Zero leaves the image as it is.
    default: 6
    inputBinding: { position: 1, prefix: --fwhm-mm=, separate: false }
outputs:
  - id: smoothed
    type: File
    label: Smoothed image
    doc: The smoothed volume as 32-bit floats, `<subject>_smooth.nii`.
    format: http://edamontology.org/format_3549
    outputBinding: { glob: "*_smooth.nii" }
