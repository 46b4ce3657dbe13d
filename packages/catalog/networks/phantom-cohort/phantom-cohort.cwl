cwlVersion: v1.2
class: Workflow
label: Phantom cohort
doc: |
  Makes the synthetic volumes of a cohort, one per subject, each with its own seed, voxel size and number of
  lesions. The example makes the six volumes that ship with the catalog, byte for byte.
requirements:
  - class: ScatterFeatureRequirement
inputs:
  - id: subjects
    type: string[]
    label: Subjects
    doc: Ids of the subjects; they name the volumes.
  - id: seeds
    type: int[]
    label: Seeds
    doc: The seed of each subject.
  - id: voxel_sizes_mm
    type:
      type: array
      items: { type: array, items: float }
    label: Voxel sizes
    doc: Voxel size of each subject along x, y and z, in mm.
  - id: lesions
    type: int[]
    label: Lesion counts
    doc: How many lesions each subject has.
  - id: noise_sd
    type: float
    label: Noise
    doc: Standard deviation of the noise for all subjects, in units of intensity.
    default: 4
outputs:
  - id: images
    type: File[]
    label: Volumes
    doc: The volume of each subject, NIfTI-1.
    outputSource: draw/image
  - id: truths
    type: File[]
    label: Truths
    doc: What was drawn for each subject, JSON.
    outputSource: draw/truth
steps:
  - id: draw
    label: Draw phantoms
    run: ../../tools/phantom/1.0.0/phantom.cwl
    scatter: [subject, seed, voxel_mm, lesions]
    scatterMethod: dotproduct
    in:
      - { id: subject, source: subjects }
      - { id: seed, source: seeds }
      - { id: voxel_mm, source: voxel_sizes_mm }
      - { id: lesions, source: lesions }
      - { id: noise_sd, source: noise_sd }
    out: [image, truth]
