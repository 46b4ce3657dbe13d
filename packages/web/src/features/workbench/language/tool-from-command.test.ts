import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { toolFromCommand } from "./tool-from-command.ts";

it("makes a tool from a pasted command, and lists its assumptions", async () => {
  const text = await toolFromCommand({
    id: "count-lines",
    line: "# counts\nwc \\\n  -l names.txt > sorted.txt\n",
    help: "",
  });
  assert.match(text, /baseCommand: \[wc\]/);
  assert.match(text, /stdout: sorted.txt/);
  assert.match(text, /^#!\/usr\/bin\/env cwl-runner\n# What is -l\? Assumed: a switch/);
  assert.match(text, /^label: "Count lines"$/m);
  const { process, diagnostics } = await loadDocument("file:///a.cwl", { reader: { read: async () => text } });
  assert.deepEqual(diagnostics, []);
  assert.ok(process?.inputs.some(({ id, type }) => id === "names" && type.kind === "File"));
});

it("refuses several commands", async () => {
  await assert.rejects(toolFromCommand({ id: "x", line: "a\nb", help: "" }), /one command, without a second line/);
  await assert.rejects(toolFromCommand({ id: "x", line: "a | b", help: "" }), /one command/);
  await assert.rejects(toolFromCommand({ id: "x", line: "# nothing", help: "" }), /empty/);
});
