import { join } from "node:path";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectSuccess, weft } from "../src/testing/run-in-process.ts";

const operation = (id: string, type: string) => `{class: Operation, id: ${id}, inputs: {x: ${type}}, outputs: []}`;
const library = (second: string) =>
  `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", second)}]\n`;
const TOOL = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs: {reads: File}\noutputs: []\n";
const cwd = temporaryFolder({
  "library.cwl": library("string"),
  "wrong-library.cwl": library("sting"),
  "expressions.cwl": `${TOOL}arguments: [$(inputs.nope), $((1+1)), $(inputs.reads.basenam)]\n`,
  "bad.cwl":
    "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps:\n  a:\n    run: missing.cwl\n    in: {}\n    out: []\n",
});

describe("weft validate", () => {
  it("accepts every document of the shipped catalog", async () => {
    const catalog = join(import.meta.dirname, "../../catalog");
    const documents = ["networks/imaging-cohort/imaging-cohort.cwl", "tools/threshold/2.0.0/threshold.cwl"];
    const { stdout } = await expectSuccess(["validate", ...documents.map((path) => join(catalog, path))]);
    assert.match(stdout, /Workflow is valid/);
  });

  it("accepts a library of processes, and checks each of them", async () => {
    const { stdout } = await expectSuccess(["validate", "library.cwl"], { cwd });
    assert.equal(stdout, "library.cwl: all 2 processes are valid\n");
  });

  const wrong: readonly (readonly [string, string, readonly RegExp[]])[] = [
    ["checks each process of a library", "wrong-library.cwl", [/unknown type `sting`[^]*not valid, 1 error\n$/]],
    [
      "finds expressions that could never be evaluated",
      "expressions.cwl",
      [
        /expressions\.cwl:6:22: error: arguments\.0: `inputs` has no field `nope`\n.*\n {23}\^/,
        /6:29: error: .*InlineJavascriptRequirement is not in effect/,
        /hint: did you mean `basename`\?/,
      ],
    ],
    ["prints file:line:column for a wrong document", "bad.cwl", [/bad\.cwl:7:\d+: error: .*missing\.cwl/]],
  ];
  for (const [name, document, messages] of wrong)
    it(`${name}, and exits with 1`, async () => {
      const { code, stdout } = await weft(["validate", document], { cwd });
      assert.equal(code, 1);
      for (const message of messages) assert.match(stdout, message);
    });
});
