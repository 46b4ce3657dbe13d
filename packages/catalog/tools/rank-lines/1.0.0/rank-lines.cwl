cwlVersion: v1.2
class: CommandLineTool
label: Rank lines by frequency
doc: |
  Counts how often each line of a sorted text occurs, and writes `count line`, the most frequent first, equal
  counts by the bytes of the line. The last command of the pipe removes the padding that `uniq -c` puts before
  counts, whose width differs between GNU and BSD.
requirements:
  - class: ShellCommandRequirement
  - class: EnvVarRequirement
    envDef: { LC_ALL: C }
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 128
baseCommand: [uniq, -c]
arguments:
  - shellQuote: false
    valueFrom: "|"
  - sort
  - -k1,1nr
  - -k2
  - shellQuote: false
    valueFrom: '| while read -r count line; do echo "$count $line"; done'
inputs:
  - id: lines
    type: File
    label: Sorted lines
    doc: A text whose lines are sorted.
stdin: $(inputs.lines.path)
stdout: $(inputs.lines.nameroot).frequencies.txt
outputs:
  - id: ranked
    type: stdout
    label: Frequencies
    doc: One line per different line, `<lines>.frequencies.txt`.
