cwlVersion: v1.2
class: CommandLineTool
label: Split into words
doc: |
  Writes the words of a text one per line, in lower case, in the order of the text.

  A word is a longest run of the letters A to Z, apostrophes, and bytes over 127; so words in UTF-8 stay whole
  whatever the machine's locale, but only A to Z change case, and typographic quotes and dashes stick to words.
requirements:
  - class: EnvVarRequirement
    envDef: { LC_ALL: C }
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 64
baseCommand: sh
inputs:
  - id: script
    type: File
    label: Program
    doc: The program of this tool.
    default: { class: File, location: split-words.sh }
    inputBinding: { position: 0 }
  - id: text
    type: File
    label: Text
    doc: Any text file.
stdin: $(inputs.text.path)
stdout: $(inputs.text.nameroot).words
outputs:
  - id: words
    type: stdout
    label: Words
    doc: One word per line, `<text>.words`.
