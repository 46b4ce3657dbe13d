cwlVersion: v1.2
class: CommandLineTool
label: Join texts
doc: Writes texts one after another into one file (`cat`).
requirements:
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 64
baseCommand: cat
inputs:
  - id: texts
    type: File[]
    label: Texts
    doc: The texts, in order.
    inputBinding: { position: 1 }
  - id: name
    type: string
    label: Name
    doc: Name of the result.
    default: joined.txt
stdout: $(inputs.name)
outputs:
  - id: joined
    type: stdout
    label: Joined text
    doc: All the texts in one file.
