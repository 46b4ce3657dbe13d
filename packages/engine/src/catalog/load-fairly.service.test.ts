import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { NotUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { loadFairly, packedText } from "./load-fairly.ts";

const ROOT = "file:///fair/main.cwl";

it("loads a large document in a thread with the same result", async () => {
  const texts = new Map([
    [ROOT, network(600)],
    ["file:///fair/part.cwl", tool("part", "default: {class: File, basename: b, contents: c}, type: File")],
  ]);
  const expected = await loadDocument(ROOT, { reader: readerOf(texts) });
  const loaded = await loadFairly(ROOT, readerOf(texts));
  assert.notEqual(loaded.packed, undefined, "only a thread packs it at once");
  const { packed: _, ...rest } = loaded;
  assert.deepEqual(rest, expected);
  assert.equal(packedText(loaded), packedText(expected));
});

it("loads a small document at once", async () => {
  const loaded = await loadFairly(ROOT, readerOf(new Map([[ROOT, tool("small", "type: string")]])));
  assert.equal("packed" in loaded, false);
  assert.equal(loaded.process?.class, "CommandLineTool");
});

it("reports a file of a large document that is not UTF-8", async () => {
  const texts = readerOf(new Map([[ROOT, network(600)]]));
  const read: DocumentReader["read"] = async (uri) => {
    if (uri.endsWith("part.cwl")) throw new NotUtf8(Buffer.from("a: \xe9", "latin1"), 3);
    return texts.read(uri);
  };
  const { diagnostics } = await loadFairly(ROOT, { read });
  assert.match(diagnostics[0]?.message ?? "", /not UTF-8: byte 0xe9 at line 1, byte 4/);
});

it("fails with the error of the reader", async () => {
  const texts = readerOf(new Map([[ROOT, network(600)]]));
  const read: DocumentReader["read"] = async (uri) => {
    if (uri.endsWith("part.cwl")) throw new Error("the disk is broken");
    return texts.read(uri);
  };
  await assert.rejects(loadFairly(ROOT, { read }), { message: "the disk is broken" });
});

function readerOf(texts: ReadonlyMap<string, string>): DocumentReader {
  return { read: async (uri) => texts.get(uri) };
}

function tool(id: string, input: string): string {
  return `cwlVersion: v1.2
id: ${id}
class: CommandLineTool
baseCommand: [echo, ${id}]
inputs:
  a: {${input}}
outputs: []
`;
}

/** A network whose steps are all tools of its own `$graph`, except for one in a file. */
function network(tools: number): string {
  const ids = Array.from({ length: tools }, (_, index) => `t${index}`);
  const steps = [...ids.map((id) => [id, `"#${id}"`]), ["part", "part.cwl"]].map(
    ([id, run]) => `    ${id}: {run: ${run}, in: {}, out: []}\n`,
  );
  const graph = ids.map((id) =>
    tool(id, "type: string, default: a")
      .replace("cwlVersion: v1.2\nid", "- id")
      .replace(/\n(?=.)/g, "\n  "),
  );
  return `cwlVersion: v1.2\n$graph:\n${graph.join("")}- id: main\n  class: Workflow\n  inputs: []\n  outputs: []\n  steps:\n${steps.join("")}`;
}
