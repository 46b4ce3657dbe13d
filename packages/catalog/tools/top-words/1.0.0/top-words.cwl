cwlVersion: v1.2
class: CommandLineTool
label: Most frequent words
doc: |
  Merges sorted lists of words into one CSV table of the most frequent words over all texts:
  `rank,word,count,texts`, where `texts` is the number of texts with the word. Equal counts are ranked by the
  bytes of the word. The table has `top` rows at most.
requirements:
  - class: EnvVarRequirement
    envDef: { LC_ALL: C }
  - class: ResourceRequirement
    coresMin: 1
    ramMin: 256
baseCommand: sh
inputs:
  - id: script
    type: File
    label: Program
    doc: The program of this tool.
    default: { class: File, location: top-words.sh }
    inputBinding: { position: 0 }
  - id: top
    type: int
    label: Rows
    doc: How many words the table has at most.
    default: 20
    inputBinding: { position: 1 }
  - id: stop_words
    type: File?
    label: Stop words
    doc: Words to leave out, one per line in lower case, in any order.
    inputBinding: { position: 2, prefix: -s }
  - id: words
    type: File[]
    label: Words
    doc: Sorted words of each text, one per line, as `split-words` and `sort-lines` make them.
    inputBinding: { position: 3 }
outputs:
  - id: table
    type: File
    label: Table
    doc: The table, `top-words.csv`.
    format: http://edamontology.org/format_3752
    outputBinding: { glob: top-words.csv }
