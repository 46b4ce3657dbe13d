import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { readZip } from "../src/archive/testing/unpack-zip.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";

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

async function start(t: TestContext) {
  const root = temporaryFolder();
  const catalog = join(root, "catalog");
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(catalog, path)), { recursive: true });
    await writeFile(join(catalog, path), text);
  };
  await write("tools/say/1.0.0/say.cwl", TOOL);
  await write("tools/say/1.0.0/notes.txt", "notes");
  await write("networks/greet/1.0.0/greet.cwl", NETWORK);
  await write("networks/greet/1.0.0/examples/a.yml", "word: a\n");
  const engine = await openTestEngine(root, { executor: new ScriptedExecutor() });
  t.after(() => engine.stop("cancel"));
  return { engine };
}

describe("an export", () => {
  it("contains the files of everything that it runs, and can be imported elsewhere", async (t) => {
    const { engine } = await start(t);
    const { name, open } = await draftsOf(engine).sources(caller, { kind: "network", id: "greet", version: undefined });
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
    const other = await start(t);
    const group = await draftsOf(other.engine).importZip(caller, {
      ...{ content: Readable.from([zip]), title: name, collisions: "new-id" },
    });
    assert.deepEqual(
      group.drafts.map(({ draft, status }) => [draft.id, status]),
      [["greet-2", "valid"]],
    );
  });

  it("contains the text and files of a draft", async (t) => {
    const { engine } = await start(t);
    const drafts = draftsOf(engine);
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
