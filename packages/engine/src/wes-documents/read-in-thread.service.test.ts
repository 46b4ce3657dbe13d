import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { readInThread } from "./read-in-thread.ts";

const TOOL = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'true'\ninputs: {}\noutputs: {}\n";

const folder = temporaryFolder();

async function read(text: string) {
  const path = join(folder, "main.cwl");
  await writeFile(path, text);
  return readInThread({ files: new Map([["main.cwl", path]]), primary: "main.cwl" });
}

describe("a document that is read in a thread", () => {
  it("reports its kind and its requirements", async () => {
    const { kind, label, needed } = await read(`${TOOL}label: Nothing\n`);
    assert.deepEqual([kind, label, needed.map(({ path }) => path)], ["tool", "Nothing", ["main.cwl"]]);
  });

  const many = Array.from(
    { length: 40_000 },
    (_, at) => `  i${at}: { type: "int?", inputBinding: { position: ${at} } }`,
  );
  const nested = (depth: number) => "{ type: array, items: ".repeat(depth) + "int" + " }".repeat(depth);
  const CASES: readonly (readonly [what: string, text: string, says: RegExp])[] = [
    ["has errors", TOOL.replace("CommandLineTool", "Nonsense"), /main\.cwl:2:8: /],
    [
      "takes too long to load",
      TOOL.replace("inputs: {}", `inputs:\n${many.join("\n")}`),
      /processor time|longer than|too large|memory/,
    ],
    ["nests too deeply", TOOL.replace("inputs: {}", `inputs: { x: ${nested(5000)} }`), /./],
    ["is larger than a document may be", TOOL + "#".repeat(5_000_000), /too large.*4 MiB/],
  ];
  for (const [what, text, says] of CASES)
    it(`is refused if it ${what}`, async () => {
      await assert.rejects(read(text), (error) => {
        assert.ok(error instanceof Refusal, String(error));
        assert.equal(error.code, "invalid-document");
        assert.match(error.message, says);
        return true;
      });
    });
});
