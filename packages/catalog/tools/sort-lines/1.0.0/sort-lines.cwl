cwlVersion: v1.2
class: CommandLineTool
label: Sort lines
doc: Sorts the lines of a text by their bytes (`sort` with `LC_ALL=C`), which is the same on every machine.
requirements:
  - class: EnvVarRequirement
    envDef: { LC_ALL: C }
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 128
baseCommand: sort
inputs:
  - id: lines
    type: File
    label: Lines
    doc: Any text file.
  - id: unique
    type: boolean
    label: Drop repeats
    doc: Keep one of equal lines.
    default: false
    inputBinding: { prefix: -u }
stdin: $(inputs.lines.path)
stdout: $(inputs.lines.nameroot).sorted
outputs:
  - id: sorted
    type: stdout
    label: Sorted lines
    doc: The lines in order, `<lines>.sorted`.
