import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reportedProblems } from "./testing/reported-problems.ts";
import type { Texts } from "./testing/reader-of-texts.ts";

/** A tool whose last lines are the case; what it refers to is declared above them. */
const tool = (lines: string): Texts => ({
  "a.cwl": `cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs:
  text: string
  count: int
  reads: File
  many: File[]
  maybe: File?
  pair: {type: {type: record, fields: {left: File, right: int}}}
  whole: {type: File, loadContents: true}
${lines}`,
});

const JAVASCRIPT = "requirements: {InlineJavascriptRequirement: {}}\n";
const NO_OUTPUTS = "outputs: []\n";

const argument = (text: string) => tool(`${NO_OUTPUTS}arguments: [${JSON.stringify(text)}]\n`);
const script = (text: string) => tool(`${NO_OUTPUTS}${JAVASCRIPT}arguments: [${JSON.stringify(text)}]\n`);
const output = (binding: string, before = "") =>
  tool(`${before}outputs:\n  o:\n    type: Any\n    outputBinding: ${binding}\n`);

const network = (step: string, requirements = "  StepInputExpressionRequirement: {}\n"): Texts => ({
  ...tool(NO_OUTPUTS),
  "t.cwl": `cwlVersion: v1.2
class: CommandLineTool
inputs: {x: {type: Any}}
outputs: []
baseCommand: [echo]
`,
  "a.cwl": `cwlVersion: v1.2
class: Workflow
requirements:
${requirements}inputs: {reads: File, names: "string[]"}
outputs: []
steps:
  one:
    run: t.cwl
    out: []
${step}`,
});

/** `expected`: `line:column code: message [hint]`. */
const BROKEN: Readonly<Record<string, readonly [files: Texts, expected: string]>> = {
  "arithmetic without JavaScript": [
    argument("$((1+1))"),
    "13:14 javascript-needed: arguments.0: `$((1+1))` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "a function body without JavaScript": [
    argument("${return 1;}"),
    "13:14 javascript-needed: arguments.0: `${return 1;}` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "the length of a text without JavaScript": [
    argument("$(inputs.text.length)"),
    "13:14 javascript-needed: arguments.0: `$(inputs.text.length)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "a shell variable without JavaScript": [
    argument("${HOME}/x"),
    "13:14 javascript-needed: arguments.0: `${HOME}` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "a number without JavaScript": [
    argument("$(42)"),
    "13:14 javascript-needed: arguments.0: `$(42)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "an input that does not exist": [
    argument("$(inputs.nope)"),
    "13:23 unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "a misspelled input": [
    argument("--n=$(inputs.conut)"),
    "13:27 unknown-reference: arguments.0: `inputs` has no field `conut` [did you mean `count`?]",
  ],
  "a misspelled input in brackets": [
    argument("$(inputs['redas'].path)"),
    "13:24 unknown-reference: arguments.0: `inputs` has no field `redas` [did you mean `reads`?]",
  ],
  "a misspelled root": [
    argument("$(input.text)"),
    "13:16 unknown-reference: arguments.0: `input` is not known here; an expression can use `inputs`, `self` and `runtime` [did you mean `inputs`?]",
  ],
  "an unknown root": [
    argument("$(steps.one)"),
    "13:16 unknown-reference: arguments.0: `steps` is not known here; an expression can use `inputs`, `self` and `runtime` [expected one of inputs, self, runtime]",
  ],
  "a misspelled field of a File": [
    argument("$(inputs.reads.basenam)"),
    "13:29 unknown-reference: arguments.0: `inputs.reads` is of type File and has no field `basenam` [did you mean `basename`?]",
  ],
  "a field of an optional File": [
    argument("$(inputs.maybe.name)"),
    "13:29 unknown-reference: arguments.0: `inputs.maybe` is of type File and has no field `name` [expected one of class, location, path, basename, dirname, nameroot, nameext, checksum, format, contents, size, secondaryFiles]",
  ],
  "a field of a list": [
    argument("$(inputs.many.basename)"),
    "13:28 unknown-reference: arguments.0: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
  ],
  "a field of an element": [
    argument("$(inputs.many[0].basenam)"),
    "13:31 unknown-reference: arguments.0: `inputs.many[0]` is of type File and has no field `basenam` [did you mean `basename`?]",
  ],
  "a field of a number": [
    argument("$(inputs.count.value)"),
    "13:29 unknown-reference: arguments.0: `inputs.count` is of type int and has no field `value` [use `inputs.count` itself]",
  ],
  "a field that a record does not have": [
    argument("$(inputs.pair.middle)"),
    "13:28 warning unknown-reference: arguments.0: `inputs.pair` has no field `middle` [expected one of left, right]",
  ],
  "contents that are not loaded": [
    argument("$(inputs.reads.contents)"),
    "13:29 warning contents-not-loaded: arguments.0: `inputs.reads` has no `contents`, because they are not loaded [add `loadContents: true` to the input, or to the `outputBinding`, that it comes from]",
  ],
  "a misspelled resource": [
    argument("$(runtime.core)"),
    "13:24 unknown-reference: arguments.0: `runtime` has no field `core` [did you mean `cores`?]",
  ],
  "the exit code before there is one": [
    argument("$(runtime.exitCode)"),
    "13:24 unknown-reference: arguments.0: `runtime` has no field `exitCode` [expected one of outdir, tmpdir, cores, ram, outdirSize, tmpdirSize]",
  ],
  "self where there is none": [
    argument("$(self.path)"),
    "13:21 unknown-reference: arguments.0: `self` is null here and has no field `path` [`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`]",
  ],
  "an expression that is not closed": [
    argument("$(inputs.text"),
    "13:14 unclosed-expression: arguments.0: the expression that starts with `$(inputs.text` is not closed by `)` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  ],
  "a body that is not closed": [
    script("${ if (true) { return 1; "),
    "14:14 unclosed-expression: arguments.0: the expression that starts with `${ if (true) { return 1; ` is not closed by `}` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  ],
  "a syntax error in an expression": [
    script("$(inputs.count +)"),
    "14:29 javascript-syntax: arguments.0: this is not valid JavaScript: the code ends too early [something is missing at the end]",
  ],
  "a syntax error in a body": [
    script("${ var x = ; return x; }"),
    "14:25 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `;` [the mistake is here or just before; the code is read as strict JavaScript]",
  ],
  "an unclosed bracket within an expression": [
    script("$([1, 2)"),
    "14:14 unclosed-expression: arguments.0: the expression that starts with `$([1, 2)` is not closed by `)` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  ],
  "a statement in an expression": [
    script("$(return inputs.count)"),
    "14:16 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `return` [`$(…)` contains one expression; write statements as `${…}`]",
  ],
  "a semicolon in an expression": [
    script("$(inputs.count + 1;)"),
    "14:32 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `;` [remove the semicolon, because `$(…)` contains one expression]",
  ],
  "an empty expression": [
    script("$()"),
    "14:16 javascript-syntax: arguments.0: this is not valid JavaScript: the code ends too early [write an expression, or `\\$` if no expression is meant]",
  ],
  "a body without return": [
    script("${ inputs.count + 1 }"),
    "14:14 no-result: arguments.0: the code never returns a value, so the result is `undefined` [add `return` before the result]",
  ],
  "a shell variable with JavaScript": [
    script("${ runtime }"),
    "14:14 no-result: arguments.0: the code never returns a value, so the result is `undefined` [add `return`, or write `\\${` where a shell variable is meant]",
  ],
  "an assignment that strict mode refuses": [
    script("${ var x = 010; return x; }"),
    "14:25 javascript-syntax: arguments.0: this is not valid JavaScript: invalid number [the mistake is here or just before; the code is read as strict JavaScript]",
  ],
  "an unknown input in a script": [
    script("$(inputs.nope + 1)"),
    "14:23 warning unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "an unknown field of a File in a body": [
    script("${ return inputs.reads.nameRoot + '.txt'; }"),
    "14:37 warning unknown-reference: arguments.0: `inputs.reads` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
  ],
  "a misspelled root in a script": [
    script("$(input.count + 1)"),
    "14:16 warning unknown-name: arguments.0: the script uses `input`, which nothing declares [did you mean `inputs`?]",
  ],
  "an undeclared function": [
    script("$(twice(inputs.count))"),
    "14:16 warning unknown-name: arguments.0: the script uses `twice`, which nothing declares [declare it in the script or in `expressionLib`]",
  ],
  "a property of a list in a script": [
    script("$(inputs.many.basename + 1)"),
    "14:28 warning unknown-reference: arguments.0: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
  ],
  "a library that is not JavaScript": [
    tool(
      `${NO_OUTPUTS}requirements:\n  InlineJavascriptRequirement:\n    expressionLib:\n      - |\n        function f(x) {\n          return x +;\n        }\n`,
    ),
    "18:21 javascript-syntax: requirements.InlineJavascriptRequirement.expressionLib.0: this is not valid JavaScript: unexpected `;` [the mistake is here or just before; the code is read as strict JavaScript]",
  ],
  "a list of matches taken as a File": [
    output("{glob: '*.txt', outputEval: $(self.basename)}"),
    "15:55 unknown-reference: outputs.o.outputBinding.outputEval: `self` is of type (File | Directory)[] and has no field `basename` [take an element first: `self[0].basename`]",
  ],
  "a glob of an unknown input": [
    output("{glob: $(inputs.out).txt}"),
    "15:36 unknown-reference: outputs.o.outputBinding.glob: `inputs` has no field `out` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "contents of outputs that are not loaded": [
    output("{glob: '*.txt', outputEval: '$(self[0].contents)'}"),
    "15:59 warning contents-not-loaded: outputs.o.outputBinding.outputEval: `self[0]` has no `contents`, because they are not loaded [add `loadContents: true` to the input, or to the `outputBinding`, that it comes from]",
  ],
  "self of an output without glob": [
    output("{outputEval: '$(self[0].path)'}"),
    "15:41 unknown-reference: outputs.o.outputBinding.outputEval: `self` is null here and has no element 0 [`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`]",
  ],
  "a stream named after an unknown input": [
    tool(`${NO_OUTPUTS}stdout: $(inputs.name).log\n`),
    "13:18 unknown-reference: stdout: `inputs` has no field `name` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "an environment variable of an unknown input": [
    tool(`${NO_OUTPUTS}requirements:\n  EnvVarRequirement:\n    envDef:\n      LEVEL: $(inputs.level)\n`),
    "16:23 unknown-reference: requirements.EnvVarRequirement.LEVEL: `inputs` has no field `level` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "resources of an unknown input": [
    tool(`${NO_OUTPUTS}requirements:\n  ResourceRequirement: {ramMin: $(inputs.memory)}\n`),
    "14:42 unknown-reference: requirements.ResourceRequirement.ramMin: `inputs` has no field `memory` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "resources that depend on themselves": [
    tool(`${NO_OUTPUTS}requirements:\n  ResourceRequirement: {ramMin: $(runtime.cores)}\n`),
    "14:43 unknown-reference: requirements.ResourceRequirement.ramMin: `runtime` has no fields here, so it has no field `cores` [only expressions of one job can use `runtime`, not those of steps, resources or inputs]",
  ],
  "a file of the working folder, in a block": [
    tool(
      `${NO_OUTPUTS}requirements:\n  InitialWorkDirRequirement:\n    listing:\n      - entryname: run.sh\n        entry: |\n          echo start\n          cat $(inputs.raeds.path)\n`,
    ),
    "19:24 unknown-reference: requirements.InitialWorkDirRequirement.listing.0.entry: `inputs` has no field `raeds` [did you mean `reads`?]",
  ],
  "a folded text": [
    tool(`${NO_OUTPUTS}arguments:\n  - >-\n    one\n    two $(inputs.nope)\n`),
    "16:18 unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  ],
  "a binding of a type": [
    tool(
      NO_OUTPUTS.replace(
        "outputs",
        "  list: {type: {type: array, items: File, inputBinding: {valueFrom: $(self.nme)}}}\noutputs",
      ),
    ),
    "12:76 unknown-reference: inputs.list.valueFrom: `self` is of type File and has no field `nme` [expected one of class, location, path, basename, dirname, nameroot, nameext, checksum, format, contents, size, secondaryFiles]",
  ],
  "a pattern of secondary files": [
    tool(`  bam: {type: File, secondaryFiles: [$(self.nameRoot).bai]}\n${NO_OUTPUTS}`),
    "12:45 unknown-reference: inputs.bam.secondaryFiles: `self` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
  ],
  "valueFrom of an input that the step does not have": [
    network("    in: {x: {valueFrom: $(inputs.reads)}}\n"),
    "11:34 unknown-reference: steps.one.in.x.valueFrom: `inputs` has no field `reads` [expected `x`]",
  ],
  "valueFrom that takes a source for something else": [
    network("    in: {x: {source: reads, valueFrom: $(self.bsename)}}\n"),
    "11:47 unknown-reference: steps.one.in.x.valueFrom: `self` is of type File and has no field `bsename` [did you mean `basename`?]",
  ],
  "valueFrom with the resources of a job": [
    network("    in: {x: {source: reads, valueFrom: $(runtime.cores)}}\n"),
    "11:50 unknown-reference: steps.one.in.x.valueFrom: `runtime` has no fields here, so it has no field `cores` [only expressions of one job can use `runtime`, not those of steps, resources or inputs]",
  ],
  "a condition without JavaScript": [
    network("    when: $(inputs.x == 1)\n    in: {x: names}\n"),
    "11:11 javascript-needed: steps.one.when: `$(inputs.x == 1)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  ],
  "a condition on an unknown input": [
    network("    when: $(inputs.run)\n    in: {x: names}\n"),
    "11:20 unknown-reference: steps.one.when: `inputs` has no field `run` [expected `x`]",
  ],
  "a scattered text taken for a File": [
    network(
      "    scatter: x\n    in: {x: {source: names, valueFrom: $(self.path)}}\n",
      "  StepInputExpressionRequirement: {}\n  ScatterFeatureRequirement: {}\n",
    ),
    "13:47 unknown-reference: steps.one.in.x.valueFrom: `self` is of type string and has no field `path` [use `self` itself]",
  ],
  "an ExpressionTool": [
    {
      "a.cwl":
        "cwlVersion: v1.2\nclass: ExpressionTool\nrequirements: {InlineJavascriptRequirement: {}}\ninputs: {n: int}\noutputs: {o: int}\nexpression: |\n  ${\n    return {o: inputs.n + };\n  }\n",
    },
    "8:27 javascript-syntax: expression: this is not valid JavaScript: unexpected `}` [the mistake is here or just before; the code is read as strict JavaScript]",
  ],
};

describe("broken expressions are found when a document is read, with place, reason and remedy", () => {
  for (const [name, [files, expected]] of Object.entries(BROKEN))
    test(name, async () => assert.deepEqual(await reportedProblems(files), [`a.cwl:${expected}`]));
});
