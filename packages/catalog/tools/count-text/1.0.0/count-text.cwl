cwlVersion: v1.2
class: CommandLineTool
label: Count lines, words and bytes
doc: |
  What `wc` says of a text: line feeds, words in the sense of `wc` (runs of anything but white space), bytes.
requirements:
  - class: InlineJavascriptRequirement
  - class: EnvVarRequirement
    envDef: { LC_ALL: C }
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 64
baseCommand: [wc, -l, -w, -c]
inputs:
  - id: text
    type: File
    label: Text
    doc: Any text file.
stdin: $(inputs.text.path)
stdout: counts.txt
outputs:
  - id: lines
    type: long
    label: Lines
    doc: Number of line feeds.
    outputBinding:
      glob: counts.txt
      loadContents: true
      outputEval: $(Number(self[0].contents.trim().split(/ +/)[0]))
  - id: words
    type: long
    label: Words
    doc: Number of words.
    outputBinding:
      glob: counts.txt
      loadContents: true
      outputEval: $(Number(self[0].contents.trim().split(/ +/)[1]))
  - id: bytes
    type: long
    label: Bytes
    doc: Number of bytes.
    outputBinding:
      glob: counts.txt
      loadContents: true
      outputEval: $(Number(self[0].contents.trim().split(/ +/)[2]))
