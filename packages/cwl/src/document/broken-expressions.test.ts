import { describe, test } from "node:test";
import { expectProblems } from "./testing/reported-problems.ts";
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
const output = (binding: string) => tool(`outputs:\n  o:\n    type: Any\n    outputBinding: ${binding}\n`);

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

const NEEDED = (place: string, expression: string) =>
  `javascript-needed: ${place}: \`${expression}\` is not a parameter reference, and InlineJavascriptRequirement is not in effect [add \`InlineJavascriptRequirement: {}\` to the requirements, or write \`\\$\` where no expression is meant]`;
const INPUTS = "[expected one of text, count, reads, many, maybe, pair, whole]";
const STRICT = "[the error is here or just before; the code is read as strict JavaScript]";
const FILE_FIELDS =
  "[expected one of class, location, path, basename, dirname, nameroot, nameext, checksum, format, contents, size, secondaryFiles]";
const LOAD = "[add `loadContents: true` to the input, or to the `outputBinding`, that it comes from]";
const ONE_JOB = "[only expressions of one job can use `runtime`, not those of steps, resources or inputs]";
const ESCAPE = "[a dollar sign before a bracket that does not begin an expression is written `\\$`]";
const ABOUT_SELF =
  "[`self` is the value that a field is about, such as the input of its `inputBinding`; elsewhere use `inputs`]";

/** An argument, and the finding about it: `column code: message [hint]`. */
const REFERENCES: Readonly<Record<string, string>> = {
  "$(inputs.nope)": "23 unknown-reference: `inputs` has no field `nope` " + INPUTS,
  "--n=$(inputs.conut)": "27 unknown-reference: `inputs` has no field `conut` [did you mean `count`?]",
  "$(inputs['redas'].path)": "24 unknown-reference: `inputs` has no field `redas` [did you mean `reads`?]",
  "$(input.text)":
    "16 unknown-reference: `input` is not known here; an expression can use `inputs`, `self` and `runtime` [did you mean `inputs`?]",
  "$(steps.one)":
    "16 unknown-reference: `steps` is not known here; an expression can use `inputs`, `self` and `runtime` [expected one of inputs, self, runtime]",
  "$(inputs.reads.basenam)":
    "29 unknown-reference: `inputs.reads` is of type File and has no field `basenam` [did you mean `basename`?]",
  "$(inputs.maybe.name)": "29 unknown-reference: `inputs.maybe` is of type File and has no field `name` " + FILE_FIELDS,
  "$(inputs.many.basename)":
    "28 unknown-reference: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
  "$(inputs.many[0].basenam)":
    "31 unknown-reference: `inputs.many[0]` is of type File and has no field `basenam` [did you mean `basename`?]",
  "$(inputs.count.value)":
    "29 unknown-reference: `inputs.count` is of type int and has no field `value` [use `inputs.count` itself]",
  "$(inputs.pair.middle)":
    "28 warning unknown-reference: `inputs.pair` has no field `middle` [expected one of left, right]",
  "$(inputs.reads.contents)":
    "29 warning contents-not-loaded: `inputs.reads` has no `contents`, because they are not loaded " + LOAD,
  "$(runtime.core)": "24 unknown-reference: `runtime` has no field `core` [did you mean `cores`?]",
  "$(runtime.exitCode)":
    "24 unknown-reference: `runtime` has no field `exitCode` [expected one of outdir, tmpdir, cores, ram, outdirSize, tmpdirSize]",
  "$(self.path)": "21 unknown-reference: `self` is null here and has no field `path` " + ABOUT_SELF,
  "$(inputs.text":
    "14 unclosed-expression: the expression that starts with `$(inputs.text` is not closed by `)` " + ESCAPE,
};

/** As above, where JavaScript is in effect. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "${ if (true) { return 1; ":
    "14 unclosed-expression: the expression that starts with `${ if (true) { return 1; ` is not closed by `}` " +
    ESCAPE,
  "$(inputs.count +)":
    "29 javascript-syntax: this is not valid JavaScript: the code ends too early [something is missing at the end]",
  "${ var x = ; return x; }": "25 javascript-syntax: this is not valid JavaScript: unexpected `;` " + STRICT,
  "$([1, 2)": "14 unclosed-expression: the expression that starts with `$([1, 2)` is not closed by `)` " + ESCAPE,
  "$(return inputs.count)":
    "16 javascript-syntax: this is not valid JavaScript: unexpected `return` [`$(…)` contains one expression; write statements as `${…}`]",
  "$(inputs.count + 1;)":
    "32 javascript-syntax: this is not valid JavaScript: unexpected `;` [remove the semicolon, because `$(…)` contains one expression]",
  "$()":
    "16 javascript-syntax: this is not valid JavaScript: the code ends too early [write an expression, or `\\$` if no expression is meant]",
  "${ inputs.count + 1 }":
    "14 no-result: the code never returns a value, so the result is `undefined` [add `return` before the result]",
  "${ runtime }":
    "14 no-result: the code never returns a value, so the result is `undefined` [add `return`, or write `\\${` where a shell variable is meant]",
  "${ var x = 010; return x; }": "25 javascript-syntax: this is not valid JavaScript: invalid number " + STRICT,
  "$(inputs.nope + 1)": "23 warning unknown-reference: `inputs` has no field `nope` " + INPUTS,
  "${ return inputs.reads.nameRoot + '.txt'; }":
    "37 warning unknown-reference: `inputs.reads` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
  "$(input.count + 1)":
    "16 warning unknown-name: the script uses `input`, which nothing declares [did you mean `inputs`?]",
  "$(twice(inputs.count))":
    "16 warning unknown-name: the script uses `twice`, which nothing declares [declare it in the script or in `expressionLib`]",
  "$(inputs.many.basename + 1)":
    "28 warning unknown-reference: `inputs.many` is of type File[] and has no field `basename` [take an element first: `inputs.many[0].basename`]",
};

/** Lines of a tool after its outputs; then `line:column code: message [hint]`. */
const LINES: Readonly<Record<string, string>> = {
  "requirements:\n  InlineJavascriptRequirement:\n    expressionLib:\n      - |\n        function f(x) {\n          return x +;\n        }\n":
    "18:21 javascript-syntax: requirements.InlineJavascriptRequirement.expressionLib.0: this is not valid JavaScript: unexpected `;` " +
    STRICT,
  "stdout: $(inputs.name).log\n": "13:18 unknown-reference: stdout: `inputs` has no field `name` " + INPUTS,
  "requirements:\n  EnvVarRequirement:\n    envDef:\n      LEVEL: $(inputs.level)\n":
    "16:23 unknown-reference: requirements.EnvVarRequirement.LEVEL: `inputs` has no field `level` " + INPUTS,
  "requirements:\n  ResourceRequirement: {ramMin: $(inputs.memory)}\n":
    "14:42 unknown-reference: requirements.ResourceRequirement.ramMin: `inputs` has no field `memory` " + INPUTS,
  "requirements:\n  ResourceRequirement: {ramMin: $(runtime.cores)}\n":
    "14:43 unknown-reference: requirements.ResourceRequirement.ramMin: `runtime` has no fields here, so it has no field `cores` " +
    ONE_JOB,
  "requirements:\n  InitialWorkDirRequirement:\n    listing:\n      - entryname: run.sh\n        entry: |\n          echo start\n          cat $(inputs.raeds.path)\n":
    "19:24 unknown-reference: requirements.InitialWorkDirRequirement.listing.0.entry: `inputs` has no field `raeds` [did you mean `reads`?]",
  "arguments:\n  - >-\n    one\n    two $(inputs.nope)\n":
    "16:18 unknown-reference: arguments.0: `inputs` has no field `nope` " + INPUTS,
};

/** Bindings of an output. */
const BINDINGS: Readonly<Record<string, string>> = {
  "{glob: '*.txt', outputEval: $(self.basename)}":
    "15:55 unknown-reference: outputs.o.outputBinding.outputEval: `self` is of type (File | Directory)[] and has no field `basename` [take an element first: `self[0].basename`]",
  "{glob: $(inputs.out).txt}":
    "15:36 unknown-reference: outputs.o.outputBinding.glob: `inputs` has no field `out` " + INPUTS,
  "{glob: '*.txt', outputEval: '$(self[0].contents)'}":
    "15:59 warning contents-not-loaded: outputs.o.outputBinding.outputEval: `self[0]` has no `contents`, because they are not loaded " +
    LOAD,
  "{outputEval: '$(self[0].path)'}":
    "15:41 unknown-reference: outputs.o.outputBinding.outputEval: `self` is null here and has no element 0 " +
    ABOUT_SELF,
};

/** Lines of a step. */
const STEPS: Readonly<Record<string, string>> = {
  "    in: {x: {valueFrom: $(inputs.reads)}}\n":
    "11:34 unknown-reference: steps.one.in.x.valueFrom: `inputs` has no field `reads` [expected `x`]",
  "    in: {x: {source: reads, valueFrom: $(self.bsename)}}\n":
    "11:47 unknown-reference: steps.one.in.x.valueFrom: `self` is of type File and has no field `bsename` [did you mean `basename`?]",
  "    in: {x: {source: reads, valueFrom: $(runtime.cores)}}\n":
    "11:50 unknown-reference: steps.one.in.x.valueFrom: `runtime` has no fields here, so it has no field `cores` " +
    ONE_JOB,
  "    when: $(inputs.x == 1)\n    in: {x: names}\n": `11:11 ${NEEDED("steps.one.when", "$(inputs.x == 1)")}`,
  "    when: $(inputs.run)\n    in: {x: names}\n":
    "11:20 unknown-reference: steps.one.when: `inputs` has no field `run` [expected `x`]",
};

const ELSEWHERE: Readonly<Record<string, readonly [files: Texts, expected: string]>> = {
  "a binding of a type": [
    tool(
      NO_OUTPUTS.replace(
        "outputs",
        "  list: {type: {type: array, items: File, inputBinding: {valueFrom: $(self.nme)}}}\noutputs",
      ),
    ),
    "12:76 unknown-reference: inputs.list.valueFrom: `self` is of type File and has no field `nme` " + FILE_FIELDS,
  ],
  "a pattern of secondary files": [
    tool(`  bam: {type: File, secondaryFiles: [$(self.nameRoot).bai]}\n${NO_OUTPUTS}`),
    "12:45 unknown-reference: inputs.bam.secondaryFiles: `self` is of type File and has no field `nameRoot` [did you mean `nameroot`?]",
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
    "8:27 javascript-syntax: expression: this is not valid JavaScript: unexpected `}` " + STRICT,
  ],
};

describe("broken expressions are found when a document is read, with place, reason and remedy", () => {
  const check = (name: string, files: Texts, expected: string) =>
    void test(name, () => expectProblems(files, expected));
  for (const expression of ["$((1+1))", "${return 1;}", "$(inputs.text.length)", "${HOME}", "$(42)"])
    check(
      `${expression} without JavaScript`,
      argument(`${expression}/x`),
      `13:14 ${NEEDED("arguments.0", expression)}`,
    );
  for (const [text, expected] of Object.entries(REFERENCES))
    check(text, argument(text), `13:${expected.replace(": ", ": arguments.0: ")}`);
  for (const [text, expected] of Object.entries(SCRIPTS))
    check(`${text} as JavaScript`, script(text), `14:${expected.replace(": ", ": arguments.0: ")}`);
  for (const [text, expected] of Object.entries(LINES)) check(text, tool(NO_OUTPUTS + text), expected);
  for (const [text, expected] of Object.entries(BINDINGS)) check(text, output(text), expected);
  for (const [text, expected] of Object.entries(STEPS)) check(text, network(text), expected);
  for (const [name, [files, expected]] of Object.entries(ELSEWHERE)) check(name, files, expected);
});
