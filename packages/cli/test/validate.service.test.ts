import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { SHIPPED_DOCUMENTS } from "./shipped-documents.ts";

const root = temporaryFolder();

describe("weft validate", () => {
  const { imaging, threshold } = SHIPPED_DOCUMENTS;

  it("accepts every document of the shipped catalog", async () => {
    const result = await weft(["validate", imaging, threshold]);
    assert.equal(result.code, 0, result.stdout);
    assert.match(result.stdout, /Workflow is valid/);
  });

  it("accepts a library of processes, and checks each of them", async () => {
    const path = join(root, "library.cwl");
    const operation = (id: string, type: string) => `{class: Operation, id: ${id}, inputs: {x: ${type}}, outputs: []}`;
    await writeFile(path, `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", "string")}]\n`);
    const sound = await weft(["validate", path]);
    assert.deepEqual([sound.code, sound.stdout], [0, `${path}: all 2 processes are valid\n`]);
    await writeFile(path, `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", "sting")}]\n`);
    const wrong = await weft(["validate", path]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /unknown type `sting`[^]*not valid, 1 error\n$/);
  });

  it("finds expressions that could never be evaluated", async () => {
    const path = join(root, "expressions.cwl");
    const tool = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs: {reads: File}\noutputs: []\n";
    await writeFile(path, `${tool}arguments: [$(inputs.nope), $((1+1)), $(inputs.reads.basenam)]\n`);
    const result = await weft(["validate", path]);
    assert.equal(result.code, 1);
    assert.match(
      result.stdout,
      /expressions\.cwl:6:22: error: arguments\.0: `inputs` has no field `nope`\n.*\n {23}\^/,
    );
    assert.match(result.stdout, /6:29: error: .*InlineJavascriptRequirement is not in effect/);
    assert.match(result.stdout, /hint: did you mean `basename`\?/);
  });

  it("exits with 1 and prints file:line:column for a wrong document", async () => {
    const path = join(root, "bad.cwl");
    await writeFile(
      path,
      "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps:\n  a:\n    run: missing.cwl\n    in: {}\n    out: []\n",
    );
    const result = await weft(["validate", path]);
    assert.equal(result.code, 1);
    assert.match(result.stdout, /bad\.cwl:7:\d+: error: .*missing\.cwl/);
  });
});
