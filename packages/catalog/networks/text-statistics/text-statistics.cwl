cwlVersion: v1.2
class: Workflow
label: Text statistics
doc: |
  Counts the words of any text files with plain Unix tools: `tr`, `sort`, `uniq`, `wc` and `join`, joined by
  standard input and output.

  For each text the frequencies of its words, over all texts a table of the most frequent ones and a table of
  sizes. All of it runs with `LC_ALL=C`, so that GNU and BSD tools give the same bytes everywhere. The tool
  `split-words` defines what a word is; the table of sizes counts words as `wc` does.
requirements:
  - class: ScatterFeatureRequirement
inputs:
  - id: texts
    type: File[]
    label: Texts
    doc: Plain text files, in ASCII or UTF-8.
  - id: top
    type: int
    label: Table rows
    doc: How many of the most frequent words to list.
    default: 20
  - id: stop_words
    type: File?
    label: Stop words
    doc: Words to leave out of the table, one per line in lower case.
outputs:
  - id: top_words
    type: File
    label: Most frequent words
    doc: "`rank,word,count,texts`, CSV."
    outputSource: top/table
  - id: sizes
    type: File
    label: Sizes
    doc: "`text,lines,words,bytes`, one row per text, CSV."
    outputSource: tabulate/table
  - id: frequencies
    type: File[]
    label: Frequencies
    doc: The words of each text with their counts, the most frequent first.
    outputSource: rank/ranked
steps:
  - id: split
    label: Split into words
    run: ../../tools/split-words/1.0.0/split-words.cwl
    scatter: text
    in:
      - { id: text, source: texts }
    out: [words]
  - id: sort
    label: Sort words
    run: ../../tools/sort-lines/1.0.0/sort-lines.cwl
    scatter: lines
    in:
      - { id: lines, source: split/words }
    out: [sorted]
  - id: rank
    label: Rank words
    run: ../../tools/rank-lines/1.0.0/rank-lines.cwl
    scatter: lines
    in:
      - { id: lines, source: sort/sorted }
    out: [ranked]
  - id: top
    label: Merge and pick
    run: ../../tools/top-words/1.0.0/top-words.cwl
    in:
      - { id: words, source: sort/sorted }
      - { id: top, source: top }
      - { id: stop_words, source: stop_words }
    out: [table]
  - id: count
    label: Count
    run: ../../tools/count-text/1.0.0/count-text.cwl
    scatter: text
    in:
      - { id: text, source: texts }
    out: [lines, words, bytes]
  - id: tabulate
    label: Tabulate
    run: ../../tools/tabulate-texts/1.0.0/tabulate-texts.cwl
    in:
      - { id: texts, source: texts }
      - { id: lines, source: count/lines }
      - { id: words, source: count/words }
      - { id: bytes, source: count/bytes }
    out: [table]
