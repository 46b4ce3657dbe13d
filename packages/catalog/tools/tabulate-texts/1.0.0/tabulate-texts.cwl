cwlVersion: v1.2
class: ExpressionTool
label: Tabulate counts
doc: Puts the counts of all texts into one CSV table, a row per text; no process is started for that.
requirements:
  - class: InlineJavascriptRequirement
inputs:
  - id: texts
    type: File[]
    label: Texts
    doc: The texts that were counted; their names go into the table.
  - id: lines
    type: long[]
    label: Lines
    doc: Lines of each text.
  - id: words
    type: long[]
    label: Words
    doc: Words of each text.
  - id: bytes
    type: long[]
    label: Bytes
    doc: Bytes of each text.
outputs:
  - id: table
    type: File
    label: Table
    doc: "`text,lines,words,bytes`, one row per text, `texts.csv`."
    format: http://edamontology.org/format_3752
expression: |
  ${
    var quote = '"';
    function quoted(name) {
      var safe = /^[=+@-]/.test(name) ? "'" + name : name;
      var plain = safe.indexOf(quote) < 0 && !/[,\r\n]/.test(safe);
      return plain ? safe : quote + safe.split(quote).join(quote + quote) + quote;
    }
    var rows = inputs.texts.map(function (text, index) {
      return [quoted(text.basename), inputs.lines[index], inputs.words[index], inputs.bytes[index]].join(",");
    });
    var contents = ["text,lines,words,bytes"].concat(rows).join("\n") + "\n";
    return {
      table: {
        "class": "File",
        "basename": "texts.csv",
        "contents": contents,
        "format": "http://edamontology.org/format_3752"
      }
    };
  }
