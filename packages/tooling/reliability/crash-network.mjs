// The network that the crash test runs: a scatter, an expression and a join. Every command adds a line to one file outside of
// its folder, so that a command that ran twice shows.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const NUMBERS = [1, 2, 3, 4, 5];

/** What the network makes of its numbers, whenever and however often the server was killed. */
export const EXPECTED = `${NUMBERS.map((number) => `${number * number}\n`).join("")}${NUMBERS.length} lines\n`;
export const EXPECTED_CHECKSUM = `sha1$${createHash("sha1").update(EXPECTED).digest("hex")}`;

/** The marks that one run leaves behind. */
export function expectedMarks(token) {
  return [...NUMBERS.map((number) => `${token} ${number}`), `${token} join`];
}

/** Writes a catalog that holds the network `crash` and answers its folder. */
export function writeCrashCatalog(folder) {
  const place = join(folder, "catalog", "networks", "crash");
  mkdirSync(place, { recursive: true });
  mkdirSync(join(folder, "catalog", "tools"));
  writeFileSync(join(place, "crash.cwl"), JSON.stringify(NETWORK));
  return join(folder, "catalog");
}

/** `$1` is the token, `$2` the file of the marks. */
function marking(script, inputs) {
  return {
    class: "CommandLineTool",
    baseCommand: ["sh", "-c", script, "crash"],
    inputs: {
      token: { type: "string", inputBinding: { position: 1 } },
      marks: { type: "string", inputBinding: { position: 2 } },
      ...inputs,
    },
  };
}

const SQUARE = {
  ...marking('echo "$1 $3" >>"$2"; sleep 0.1; expr "$3" "*" "$3"', {
    number: { type: "int", inputBinding: { position: 3 } },
  }),
  stdout: "square.txt",
  outputs: { square: "stdout" },
};

const COUNT = {
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: { squares: "File[]" },
  outputs: { count: "int" },
  expression: "${ return { count: inputs.squares.length }; }",
};

const JOIN = {
  ...marking('echo "$1 join" >>"$2"; count=$3; shift 3; cat "$@"; echo "$count lines"', {
    count: { type: "int", inputBinding: { position: 3 } },
    squares: { type: "File[]", inputBinding: { position: 4 } },
  }),
  stdout: "joined.txt",
  outputs: { joined: "stdout" },
};

const MARKED = { token: "token", marks: "marks" };

const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { numbers: "int[]", token: "string", marks: "string" },
  outputs: { joined: { type: "File", outputSource: "join/joined" } },
  steps: {
    square: { run: SQUARE, scatter: "number", in: { number: "numbers", ...MARKED }, out: ["square"] },
    count: { run: COUNT, in: { squares: "square/square" }, out: ["count"] },
    join: { run: JOIN, in: { count: "count/count", squares: "square/square", ...MARKED }, out: ["joined"] },
  },
};
