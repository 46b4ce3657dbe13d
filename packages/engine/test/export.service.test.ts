import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { readZip } from "../src/archive/testing/unpack-zip.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool # a comment
baseCommand: echo
inputs: {word: {type: string, inputBinding: {}}}
outputs: {said: stdout}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {word: string}
outputs: {said: {type: File, outputSource: say/said}}
steps:
  say: {run: ../../../tools/say/1.0.0/say.cwl, in: {word: word}, out: [said]}
`;

const FILES = {
  "catalog/tools/say/1.0.0/say.cwl": TOOL,
  "catalog/tools/say/1.0.0/notes.txt": "notes",
  "catalog/networks/greet/1.0.0/greet.cwl": NETWORK,
  "catalog/networks/greet/1.0.0/examples/a.yml": "word: a\n",
};
const start = async () => draftsOf((await serveFiles(FILES)).engine);

describe("an export", () => {
  it("contains the files of everything that it runs, and can be imported elsewhere", async () => {
    const drafts = await start();
    const { name, open } = await drafts.sources(caller, { kind: "network", id: "greet", version: undefined });
    assert.equal(name, "greet-1.0.0.zip");
    const zip = await buffer(open());
    const entries = new Map(readZip(zip).map((entry) => [entry.name, entry.content.toString()]));
    assert.deepEqual([...entries.keys()].sort(), [
      "networks/greet/1.0.0/examples/a.yml",
      "networks/greet/1.0.0/greet.cwl",
      "tools/say/1.0.0/notes.txt",
      "tools/say/1.0.0/say.cwl",
    ]);
    assert.equal(entries.get("tools/say/1.0.0/say.cwl"), TOOL);
    const group = await (
      await start()
    ).importZip(caller, {
      ...{ content: Readable.from([zip]), title: name, collisions: "new-id" },
    });
    assert.deepEqual(
      group.drafts.map(({ draft, status }) => [draft.id, status]),
      [["greet-2", "valid"]],
    );
  });

  it("contains the text and files of a draft", async () => {
    const drafts = await start();
    const { draft_id: id } = await drafts.create(caller, { kind: "tool", id: "say", based_on: "1.0.0" });
    await drafts.save(caller, id, { revision: 1, text: `${TOOL}# more\n` });
    await drafts.changeFiles(caller, id, { revision: 2, changes: [{ do: "write", path: "tests/a.yml", text: "x" }] });
    const { open } = await drafts.draftSources(caller, id);
    const entries = new Map(readZip(await buffer(open())).map((entry) => [entry.name, entry.content.toString()]));
    assert.deepEqual([...entries.keys()].sort(), [
      "tools/say/1.0.1/notes.txt",
      "tools/say/1.0.1/say.cwl",
      "tools/say/1.0.1/tests/a.yml",
    ]);
    assert.match(entries.get("tools/say/1.0.1/say.cwl") ?? "", /# more/);
    assert.match(String((await drafts.packed(caller, id)).content), /"class":"CommandLineTool"/);
  });
});
