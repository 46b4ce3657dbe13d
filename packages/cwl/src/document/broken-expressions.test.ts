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

interface Broken {
  readonly name: string;
  readonly files: Texts;
  /** `line:column code: message [hint]`. */
  readonly expected: string;
}

const BROKEN: readonly Broken[] = [
  {
    name: "arithmetic without JavaScript",
    files: argument("$((1+1))"),
    expected:
      "13:14 javascript-needed: arguments.0: `$((1+1))` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "a function body without JavaScript",
    files: argument("${return 1;}"),
    expected:
      "13:14 javascript-needed: arguments.0: `${return 1;}` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "the length of a text without JavaScript",
    files: argument("$(inputs.text.length)"),
    expected:
      "13:14 javascript-needed: arguments.0: `$(inputs.text.length)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "a shell variable without JavaScript",
    files: argument("${HOME}/x"),
    expected:
      "13:14 javascript-needed: arguments.0: `${HOME}` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "a number without JavaScript",
    files: argument("$(42)"),
    expected:
      "13:14 javascript-needed: arguments.0: `$(42)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "an input that does not exist",
    files: argument("$(inputs.nope)"),
    expected:
      "13:23 unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "a misspelled input",
    files: argument("--n=$(inputs.conut)"),
    expected: "13:27 unknown-reference: arguments.0: `inputs` has no field `conut` [did you mean `count`?]",
  },
  {
    name: "a misspelled input in brackets",
    files: argument("$(inputs['redas'].path)"),
    expected: "13:24 unknown-reference: arguments.0: `inputs` has no field `redas` [did you mean `reads`?]",
  },
  {
    name: "a misspelled root",
    files: argument("$(input.text)"),
    expected:
      "13:16 unknown-reference: arguments.0: `input` is not known here; an expression can use `inputs`, `self` and `runtime` [did you mean `inputs`?]",
  },
  {
    name: "an unknown root",
    files: argument("$(steps.one)"),
    expected:
      "13:16 unknown-reference: arguments.0: `steps` is not known here; an expression can use `inputs`, `self` and `runtime` [expected one of inputs, self, runtime]",
  },
  {
    name: "a misspelled field of a File",
    files: argument("$(inputs.reads.basenam)"),
    expected:
      "13:29 unknown-reference: arguments.0: `inputs.reads` is of type File and has no field `basenam` [did you mean `basename`?]",
  },
  {
    name: "a field of an optional File",
    files: argument("$(inputs.maybe.name)"),
    expected:
      "13:29 unknown-reference: arguments.0: `inputs.maybe` is of type File and has no field `name` [expected one of class, location, path, basename, dirname, nameroot, nameext, checksum, format, contents, size, secondaryFiles]",
  },
  {
    name: "a field of a list",
    files: argument("$(inputs.many.basename)"),
    expected:
      "13:28 unknown-reference: arguments.0: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
  },
  {
    name: "a field of an element",
    files: argument("$(inputs.many[0].basenam)"),
    expected:
      "13:31 unknown-reference: arguments.0: `inputs.many[0]` is of type File and has no field `basenam` [did you mean `basename`?]",
  },
  {
    name: "a field of a number",
    files: argument("$(inputs.count.value)"),
    expected:
      "13:29 unknown-reference: arguments.0: `inputs.count` is of type int and has no field `value` [use `inputs.count` itself]",
  },
  {
    name: "a field that a record does not have",
    files: argument("$(inputs.pair.middle)"),
    expected:
      "13:28 warning unknown-reference: arguments.0: `inputs.pair` has no field `middle` [expected one of left, right]",
  },
  {
    name: "contents that are not loaded",
    files: argument("$(inputs.reads.contents)"),
    expected:
      "13:29 warning contents-not-loaded: arguments.0: `inputs.reads` has no `contents`, because they are not loaded [add `loadContents: true` to the input, or to the `outputBinding`, that it comes from]",
  },
  {
    name: "a misspelled resource",
    files: argument("$(runtime.core)"),
    expected: "13:24 unknown-reference: arguments.0: `runtime` has no field `core` [did you mean `cores`?]",
  },
  {
    name: "the exit code before there is one",
    files: argument("$(runtime.exitCode)"),
    expected:
      "13:24 unknown-reference: arguments.0: `runtime` has no field `exitCode` [expected one of outdir, tmpdir, cores, ram, outdirSize, tmpdirSize]",
  },
  {
    name: "self where there is none",
    files: argument("$(self.path)"),
    expected:
      "13:21 unknown-reference: arguments.0: `self` is null here and has no field `path` [`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`]",
  },
  {
    name: "an expression that is not closed",
    files: argument("$(inputs.text"),
    expected:
      "13:14 unclosed-expression: arguments.0: the expression that starts with `$(inputs.text` is not closed by `)` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  },
  {
    name: "a body that is not closed",
    files: script("${ if (true) { return 1; "),
    expected:
      "14:14 unclosed-expression: arguments.0: the expression that starts with `${ if (true) { return 1; ` is not closed by `}` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  },
  {
    name: "a syntax error in an expression",
    files: script("$(inputs.count +)"),
    expected:
      "14:29 javascript-syntax: arguments.0: this is not valid JavaScript: the code ends too early [something is missing at the end]",
  },
  {
    name: "a syntax error in a body",
    files: script("${ var x = ; return x; }"),
    expected:
      "14:25 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `;` [the mistake is here or just before; the code is read as strict JavaScript]",
  },
  {
    name: "an unclosed bracket within an expression",
    files: script("$([1, 2)"),
    expected:
      "14:14 unclosed-expression: arguments.0: the expression that starts with `$([1, 2)` is not closed by `)` [a dollar sign before a bracket that does not begin an expression is written `\\$`]",
  },
  {
    name: "a statement in an expression",
    files: script("$(return inputs.count)"),
    expected:
      "14:16 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `return` [`$(…)` contains one expression; write statements as `${…}`]",
  },
  {
    name: "a semicolon in an expression",
    files: script("$(inputs.count + 1;)"),
    expected:
      "14:32 javascript-syntax: arguments.0: this is not valid JavaScript: unexpected `;` [remove the semicolon, because `$(…)` contains one expression]",
  },
  {
    name: "an empty expression",
    files: script("$()"),
    expected:
      "14:16 javascript-syntax: arguments.0: this is not valid JavaScript: the code ends too early [write an expression, or `\\$` if no expression is meant]",
  },
  {
    name: "a body without return",
    files: script("${ inputs.count + 1 }"),
    expected:
      "14:14 no-result: arguments.0: the code never returns a value, so the result is `undefined` [add `return` before the result]",
  },
  {
    name: "a shell variable with JavaScript",
    files: script("${ runtime }"),
    expected:
      "14:14 no-result: arguments.0: the code never returns a value, so the result is `undefined` [add `return`, or write `\\${` where a shell variable is meant]",
  },
  {
    name: "an assignment that strict mode refuses",
    files: script("${ var x = 010; return x; }"),
    expected:
      "14:25 javascript-syntax: arguments.0: this is not valid JavaScript: invalid number [the mistake is here or just before; the code is read as strict JavaScript]",
  },
  {
    name: "an unknown input in a script",
    files: script("$(inputs.nope + 1)"),
    expected:
      "14:23 warning unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "an unknown field of a File in a body",
    files: script("${ return inputs.reads.nameRoot + '.txt'; }"),
    expected:
      "14:37 warning unknown-reference: arguments.0: `inputs.reads` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
  },
  {
    name: "a misspelled root in a script",
    files: script("$(input.count + 1)"),
    expected:
      "14:16 warning unknown-name: arguments.0: the script uses `input`, which nothing declares [did you mean `inputs`?]",
  },
  {
    name: "an undeclared function",
    files: script("$(twice(inputs.count))"),
    expected:
      "14:16 warning unknown-name: arguments.0: the script uses `twice`, which nothing declares [declare it in the script or in `expressionLib`]",
  },
  {
    name: "a property of a list in a script",
    files: script("$(inputs.many.basename + 1)"),
    expected:
      "14:28 warning unknown-reference: arguments.0: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
  },
  {
    name: "a library that is not JavaScript",
    files: tool(
      `${NO_OUTPUTS}requirements:\n  InlineJavascriptRequirement:\n    expressionLib:\n      - |\n        function f(x) {\n          return x +;\n        }\n`,
    ),
    expected:
      "18:21 javascript-syntax: requirements.InlineJavascriptRequirement.expressionLib.0: this is not valid JavaScript: unexpected `;` [the mistake is here or just before; the code is read as strict JavaScript]",
  },
  {
    name: "a list of matches taken as a File",
    files: output("{glob: '*.txt', outputEval: $(self.basename)}"),
    expected:
      "15:55 unknown-reference: outputs.o.outputBinding.outputEval: `self` is of type (File | Directory)[] and has no field `basename` [take an element first: `self[0].basename`]",
  },
  {
    name: "a glob of an unknown input",
    files: output("{glob: $(inputs.out).txt}"),
    expected:
      "15:36 unknown-reference: outputs.o.outputBinding.glob: `inputs` has no field `out` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "contents of outputs that are not loaded",
    files: output("{glob: '*.txt', outputEval: '$(self[0].contents)'}"),
    expected:
      "15:59 warning contents-not-loaded: outputs.o.outputBinding.outputEval: `self[0]` has no `contents`, because they are not loaded [add `loadContents: true` to the input, or to the `outputBinding`, that it comes from]",
  },
  {
    name: "self of an output without glob",
    files: output("{outputEval: '$(self[0].path)'}"),
    expected:
      "15:41 unknown-reference: outputs.o.outputBinding.outputEval: `self` is null here and has no element 0 [`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`]",
  },
  {
    name: "a stream named after an unknown input",
    files: tool(`${NO_OUTPUTS}stdout: $(inputs.name).log\n`),
    expected:
      "13:18 unknown-reference: stdout: `inputs` has no field `name` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "an environment variable of an unknown input",
    files: tool(`${NO_OUTPUTS}requirements:\n  EnvVarRequirement:\n    envDef:\n      LEVEL: $(inputs.level)\n`),
    expected:
      "16:23 unknown-reference: requirements.EnvVarRequirement.LEVEL: `inputs` has no field `level` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "resources of an unknown input",
    files: tool(`${NO_OUTPUTS}requirements:\n  ResourceRequirement: {ramMin: $(inputs.memory)}\n`),
    expected:
      "14:42 unknown-reference: requirements.ResourceRequirement.ramMin: `inputs` has no field `memory` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "resources that depend on themselves",
    files: tool(`${NO_OUTPUTS}requirements:\n  ResourceRequirement: {ramMin: $(runtime.cores)}\n`),
    expected:
      "14:43 unknown-reference: requirements.ResourceRequirement.ramMin: `runtime` has no fields here, so it has no field `cores` [only expressions of one job can use `runtime`, not those of steps, resources or inputs]",
  },
  {
    name: "a file of the working folder, in a block",
    files: tool(
      `${NO_OUTPUTS}requirements:\n  InitialWorkDirRequirement:\n    listing:\n      - entryname: run.sh\n        entry: |\n          echo start\n          cat $(inputs.raeds.path)\n`,
    ),
    expected:
      "19:24 unknown-reference: requirements.InitialWorkDirRequirement.listing.0.entry: `inputs` has no field `raeds` [did you mean `reads`?]",
  },
  {
    name: "a folded text",
    files: tool(`${NO_OUTPUTS}arguments:\n  - >-\n    one\n    two $(inputs.nope)\n`),
    expected:
      "16:18 unknown-reference: arguments.0: `inputs` has no field `nope` [expected one of text, count, reads, many, maybe, pair, whole]",
  },
  {
    name: "a binding of a type",
    files: tool(
      NO_OUTPUTS.replace(
        "outputs",
        "  list: {type: {type: array, items: File, inputBinding: {valueFrom: $(self.nme)}}}\noutputs",
      ),
    ),
    expected:
      "12:76 unknown-reference: inputs.list.valueFrom: `self` is of type File and has no field `nme` [expected one of class, location, path, basename, dirname, nameroot, nameext, checksum, format, contents, size, secondaryFiles]",
  },
  {
    name: "a pattern of secondary files",
    files: tool(`  bam: {type: File, secondaryFiles: [$(self.nameRoot).bai]}\n${NO_OUTPUTS}`),
    expected:
      "12:45 unknown-reference: inputs.bam.secondaryFiles: `self` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
  },
  {
    name: "valueFrom of an input that the step does not have",
    files: network("    in: {x: {valueFrom: $(inputs.reads)}}\n"),
    expected: "11:34 unknown-reference: steps.one.in.x.valueFrom: `inputs` has no field `reads` [expected `x`]",
  },
  {
    name: "valueFrom that takes a source for something else",
    files: network("    in: {x: {source: reads, valueFrom: $(self.bsename)}}\n"),
    expected:
      "11:47 unknown-reference: steps.one.in.x.valueFrom: `self` is of type File and has no field `bsename` [did you mean `basename`?]",
  },
  {
    name: "valueFrom with the resources of a job",
    files: network("    in: {x: {source: reads, valueFrom: $(runtime.cores)}}\n"),
    expected:
      "11:50 unknown-reference: steps.one.in.x.valueFrom: `runtime` has no fields here, so it has no field `cores` [only expressions of one job can use `runtime`, not those of steps, resources or inputs]",
  },
  {
    name: "a condition without JavaScript",
    files: network("    when: $(inputs.x == 1)\n    in: {x: names}\n"),
    expected:
      "11:11 javascript-needed: steps.one.when: `$(inputs.x == 1)` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant]",
  },
  {
    name: "a condition on an unknown input",
    files: network("    when: $(inputs.run)\n    in: {x: names}\n"),
    expected: "11:20 unknown-reference: steps.one.when: `inputs` has no field `run` [expected `x`]",
  },
  {
    name: "a scattered text taken for a File",
    files: network(
      "    scatter: x\n    in: {x: {source: names, valueFrom: $(self.path)}}\n",
      "  StepInputExpressionRequirement: {}\n  ScatterFeatureRequirement: {}\n",
    ),
    expected:
      "13:47 unknown-reference: steps.one.in.x.valueFrom: `self` is of type string and has no field `path` [use `self` itself]",
  },
  {
    name: "an ExpressionTool",
    files: {
      "a.cwl":
        "cwlVersion: v1.2\nclass: ExpressionTool\nrequirements: {InlineJavascriptRequirement: {}}\ninputs: {n: int}\noutputs: {o: int}\nexpression: |\n  ${\n    return {o: inputs.n + };\n  }\n",
    },
    expected:
      "8:27 javascript-syntax: expression: this is not valid JavaScript: unexpected `}` [the mistake is here or just before; the code is read as strict JavaScript]",
  },
];

describe("broken expressions are found when a document is read, with place, reason and remedy", () => {
  for (const { name, files, expected } of BROKEN)
    test(name, async () => assert.deepEqual(await reportedProblems({ files }), [`a.cwl:${expected}`]));
});
