import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../document/load-document.ts";
import { packDocument } from "../document/pack-document.ts";
import { readerOfTexts, type Texts } from "../document/testing/reader-of-texts.ts";
import { secretInputs } from "./secret-inputs.ts";

const tool = (requirements: string) => `
cwlVersion: v1.2
class: CommandLineTool
$namespaces: {cwltool: "http://commonwl.org/cwltool#"}
baseCommand: login
${requirements}
inputs:
  password: string
  keys: {type: {type: array, items: string}}
  table: File
outputs: []
`;
const SECRET = tool("hints: {cwltool:Secrets: {secrets: [password, keys]}}");
const workflow = (run: string) => `
cwlVersion: v1.2
class: Workflow
requirements: {SubworkflowFeatureRequirement: {}}
inputs: {word: string, other: string, words: "string[]", table: File}
outputs: []
steps:
  log-in:
    run: ${run}
    in: {password: word, keys: words, table: table, word: word, other: other, words: words}
    out: []
`;

const FILES = { "tool.cwl": SECRET, "inner.cwl": workflow("tool.cwl"), "outer.cwl": workflow("inner.cwl") };

const load = (files: Texts, name: string) => loadDocument(`file:///w/${name}`, { reader: readerOfTexts(files) });

test("secret inputs are those that a process declares, or hands on to one that does", async () => {
  for (const [name, expected] of [
    ["tool.cwl", ["password", "keys"]],
    ["inner.cwl", ["word", "words"]],
    ["outer.cwl", ["word", "words"]],
  ] as const) {
    const { process, diagnostics } = await load(FILES, name);
    assert.deepEqual([...diagnostics], []);
    assert.ok(process);
    assert.deepEqual([...secretInputs(process)], expected, name);
  }
});

test("a packed document declares its secrets", async () => {
  const packed = JSON.stringify(packDocument(await load(FILES, "outer.cwl")));
  const again = await load({ "packed.cwl": packed }, "packed.cwl");
  assert.ok(again.process);
  assert.deepEqual([...secretInputs(again.process)], ["word", "words"]);
});

test("a secret must be an input of type string", async () => {
  for (const [requirements, message, hint] of [
    [
      "requirements: {cwltool:Secrets: {secrets: [pasword]}}",
      "requirements.cwltool:Secrets: there is no input `pasword`",
      "did you mean `password`?",
    ],
    [
      "requirements: [{class: cwltool:Secrets, secrets: [table]}]",
      "requirements.cwltool:Secrets: the input `table` contains no string that could be kept secret",
      "a secret is a string, or an array or record with strings; pass the content of a file as a string",
    ],
  ]) {
    const { diagnostics } = await load({ "tool.cwl": tool(requirements ?? "") }, "tool.cwl");
    const shown = diagnostics.map((found) => [found.code, found.message, found.hint]);
    assert.deepEqual(shown, [["wrong-secret", message, hint]]);
  }
});

test("the requirement without its prefix is not one of CWL", async () => {
  const text = tool("requirements: {Secrets: {secrets: [password]}}");
  const { diagnostics } = await load({ "tool.cwl": text }, "tool.cwl");
  assert.equal(diagnostics.map(({ code }) => code).join(" "), "unsupported-requirement");
});
