import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { toolFromCommand } from "./tool-from-command.ts";

it("makes a tool from a pasted command, and lists its assumptions", async () => {
  const text = await toolFromCommand("wc -l names.txt > sorted.txt", "");
  assert.match(text, /baseCommand: \[wc\]/);
  assert.match(text, /stdout: sorted.txt/);
  assert.match(text, /^# What is -l\? Assumed: a switch/);
  const { process, diagnostics } = await loadDocument("file:///a.cwl", { reader: { read: async () => text } });
  assert.deepEqual(diagnostics, []);
  assert.ok(process?.inputs.some(({ id, type }) => id === "names" && type.kind === "File"));
});

it("refuses several commands", async () => {
  await assert.rejects(toolFromCommand("a | b", ""), /one command/);
  await assert.rejects(toolFromCommand(" ", ""), /empty/);
});
