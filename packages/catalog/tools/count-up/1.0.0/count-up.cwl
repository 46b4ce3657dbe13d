cwlVersion: v1.2
class: ExpressionTool
label: Count up
doc: Makes the list 0, 1, 2, … of a given length, to scatter over; no process is started for that.
requirements:
  - class: InlineJavascriptRequirement
inputs:
  - id: count
    type: int
    label: Length
    doc: How many numbers; none is possible.
outputs:
  - id: numbers
    type: int[]
    label: Numbers
    doc: The numbers from 0 to the length minus 1.
expression: |
  ${
    if (inputs.count < 0) throw new Error("count: " + inputs.count + " is negative");
    var numbers = [];
    for (var number = 0; number < inputs.count; number += 1) numbers.push(number);
    return { numbers: numbers };
  }
