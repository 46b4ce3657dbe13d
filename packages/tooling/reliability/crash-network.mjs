// The network that the crash tests run: a scatter, a nested network, a job that fails once and is retried, a slow job,
// an expression and a join. Every command adds a line to one file outside its folder, which reveals a command that ran twice.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const NUMBERS = [1, 2, 3, 4, 5];

/** The output of the network, whenever and however often the server is killed. */
export const EXPECTED = `${NUMBERS.map((number) => `${number * number}\n`).join("")}84\nthe second time\nlater\n${NUMBERS.length} lines\n`;
export const EXPECTED_CHECKSUM = `sha1$${createHash("sha1").update(EXPECTED).digest("hex")}`;

const OTHERS = ["nested", "fails 1", "fails 2", "long", "join"];

/** The marks that one run leaves behind. */
export function expectedMarks(token) {
  return [...NUMBERS, ...OTHERS].map((mark) => `${token} ${mark}`);
}

/** The body of the request for a run of that name. */
export function crashBody(token, marks) {
  // Attempts that a killed server had begun count, too; the limit must not be reached.
  return { network: "crash", name: token, inputs: { numbers: NUMBERS, token, marks }, options: { retries: 10 } };
}

/** Writes a catalog that contains the network `crash` and returns its folder. */
export function writeCrashCatalog(folder) {
  const place = join(folder, "catalog", "networks", "crash");
  mkdirSync(place, { recursive: true });
  mkdirSync(join(folder, "catalog", "tools"));
  writeFileSync(join(place, "crash.cwl"), JSON.stringify(NETWORK));
  return join(folder, "catalog");
}

/** `$1` is the token, `$2` the file of the marks. */
function marking(script, inputs = {}) {
  return {
    class: "CommandLineTool",
    baseCommand: ["sh", "-c", script, "crash"],
    inputs: {
      token: { type: "string", inputBinding: { position: 1 } },
      marks: { type: "string", inputBinding: { position: 2 } },
      ...inputs,
    },
    stdout: "text.txt",
    outputs: { text: "stdout" },
  };
}

const SQUARE = marking('echo "$1 $3" >>"$2"; sleep 0.1; expr "$3" "*" "$3"', {
  number: { type: "int", inputBinding: { position: 3 } },
});

const LONG = marking('echo "$1 long" >>"$2"; sleep 1; echo later');

const FAILS_ONCE = {
  ...marking(
    'if grep -q "^$1 fails 1$" "$2"; then echo "$1 fails 2" >>"$2"; echo the second time; else echo "$1 fails 1" >>"$2"; exit 75; fi',
  ),
  temporaryFailCodes: [75],
};

const DOUBLE = {
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: { number: "int" },
  outputs: { doubled: "int" },
  expression: "${ return { doubled: 2 * inputs.number }; }",
};

const COUNT = {
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: { texts: "File[]" },
  outputs: { count: "int" },
  expression: "${ return { count: inputs.texts.length }; }",
};

const JOIN = {
  ...marking('echo "$1 join" >>"$2"; count=$3; shift 3; cat "$@"; echo "$count lines"', {
    count: { type: "int", inputBinding: { position: 3 } },
    squares: { type: "File[]", inputBinding: { position: 4 } },
    others: { type: "File[]", inputBinding: { position: 5 } },
  }),
};

const MARKED = { token: "token", marks: "marks" };

const NESTED = {
  class: "Workflow",
  inputs: { number: "int", token: "string", marks: "string" },
  outputs: { text: { type: "File", outputSource: "show/text" } },
  steps: {
    double: { run: DOUBLE, in: { number: "number" }, out: ["doubled"] },
    show: {
      run: marking('echo "$1 nested" >>"$2"; echo "$3"', { number: { type: "int", inputBinding: { position: 3 } } }),
      in: { number: "double/doubled", ...MARKED },
      out: ["text"],
    },
  },
};

const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: {
    ScatterFeatureRequirement: {},
    SubworkflowFeatureRequirement: {},
    MultipleInputFeatureRequirement: {},
  },
  inputs: { numbers: "int[]", token: "string", marks: "string" },
  outputs: { joined: { type: "File", outputSource: "join/text" } },
  steps: {
    square: { run: SQUARE, scatter: "number", in: { number: "numbers", ...MARKED }, out: ["text"] },
    nested: { run: NESTED, in: { number: { default: 42 }, ...MARKED }, out: ["text"] },
    fails: { run: FAILS_ONCE, in: MARKED, out: ["text"] },
    long: { run: LONG, in: MARKED, out: ["text"] },
    count: { run: COUNT, in: { texts: "square/text" }, out: ["count"] },
    join: {
      run: JOIN,
      in: {
        count: "count/count",
        squares: "square/text",
        others: { source: ["nested/text", "fails/text", "long/text"], linkMerge: "merge_flattened" },
        ...MARKED,
      },
      out: ["text"],
    },
  },
};
