import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import type { DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";
import { readZip } from "../src/archive/testing/unpack-zip.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, untilEvent } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column, columns } from "../src/testing/columns.ts";

/** Prints the word in the way that its file requests. */
const say: Program = ({ args: [file = "", word = ""], read, print }) =>
  print(read(file) === "quoted\n" ? `<${word}>\n` : `${word.toUpperCase()}\n`);

const SHOUT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [say, shout.txt]
requirements:
  InitialWorkDirRequirement:
    listing: [{ class: File, location: shout.txt }]
inputs:
  word: {type: string, default: hello, inputBinding: {}}
outputs:
  loud: {type: stdout}
stdout: loud.txt
`;
const TEST = 'inputs: {word: a}\noutputs: {loud: {contents: "A\\n"}}\n';

async function start(test = TEST) {
  const at = "catalog/tools/shout/1.0.0";
  const files = { [`${at}/shout.cwl`]: SHOUT, [`${at}/shout.txt`]: "loud\n", [`${at}/tests/one.yml`]: test };
  const served = await serveFiles(files, { programs: { say } });
  const drafts = draftsOf(served.engine);
  const { draft_id: id } = await drafts.create(caller, { kind: "tool", id: "shout", based_on: "1.0.0" });
  return { ...served, drafts, id };
}

const refused =
  (code: ProblemCode, words = /./) =>
  (error: unknown) =>
    error instanceof Refusal && error.code === code && words.test(error.message + JSON.stringify(error.errors));

/** Runs all tests and waits for their results. */
async function tested(engine: Engine, id: string): Promise<readonly string[]> {
  const drafts = draftsOf(engine);
  const results = async () => (await drafts.tests(caller, id)).tests.map(({ last }) => last?.state ?? "never");
  await drafts.runTests(caller, id, {});
  await untilEvent(engine, async () => !(await results()).includes("running"));
  return results();
}

const write = (path: string, text: string): DraftFileChange => ({ do: "write", path, text });

describe("files of a draft", () => {
  it("are those of its base with its own changes, and the base keeps its files", async () => {
    const { drafts, id, root, restart } = await start();
    const changes: DraftFileChange[] = [
      write("shout.txt", "louder\n"),
      write("data/more.txt", "more"),
      { do: "rename", path: "tests/one.yml", to: "tests/first.yml" },
    ];
    const text = `${SHOUT}# more\n`;
    const saved = await drafts.changeFiles(caller, id, { revision: 1, text, changes });
    assert.deepEqual([saved.revision, saved.text], [2, text], "both are saved at once");
    await assert.rejects(drafts.changeFiles(caller, id, { revision: 1, changes }), refused("precondition-failed"));
    const again = draftsOf(await restart());
    assert.deepEqual(columns((await again.files(caller, id)).files, "path", "state"), [
      ["data/more.txt", "new"],
      ["shout.txt", "changed"],
      ["tests/first.yml", "new"],
    ]);
    assert.deepEqual((await again.files(caller, id)).removed, ["tests/one.yml"]);
    const first = await again.file(caller, id, "tests/first.yml");
    assert.deepEqual([first.text, first.base_text], [TEST, null]);
    const script = await again.file(caller, id, "shout.txt");
    assert.deepEqual([script.text, script.base_text], ["louder\n", "loud\n"]);
    await assert.rejects(again.file(caller, id, "tests/one.yml"), refused("file-not-found"));
    const kept = await readdir(join(root, "catalog/tools/shout/1.0.0"));
    assert.deepEqual(kept.sort(), ["shout.cwl", "shout.txt", "tests"]);
  });

  it("have safe paths, and are changed together or not at all", async () => {
    const { drafts, id, root } = await start();
    const change = (...changes: DraftFileChange[]) => drafts.changeFiles(caller, id, { revision: 1, changes });
    const bad = ["../up.txt", "/etc/x", "a/../b", "a//b", ".hidden", "a/.git/config", "other.cwl", "PINNED.json"];
    for (const path of [...bad, "a\\b", "a\nb", " a", "x".repeat(250), "a/".repeat(20) + "b"])
      await assert.rejects(change(write(path, "x")), refused("invalid-body", /path/i), path);
    await assert.rejects(change(write("shout.txt/inner", "x")), refused("invalid-body", /next to/));
    await assert.rejects(change(write("tests", "x")), refused("invalid-body", /next to/));
    await assert.rejects(change(write("ok.txt", "x"), { do: "delete", path: "none" }), refused("file-not-found"));
    await assert.rejects(change({ do: "rename", path: "shout.txt", to: "tests/one.yml" }), refused("conflict"));
    const { revision, files } = await drafts.files(caller, id);
    assert.deepEqual([revision, files.length], [1, 2]);
    assert.equal(existsSync(join(root, "catalog/tools/up.txt")), false);
  });

  it("count in a run of the draft, and in the version that it becomes", async () => {
    const { drafts, engine, id, root } = await start();
    const script = "quoted\n";
    await drafts.changeFiles(caller, id, { revision: 1, changes: [write("shout.txt", script)] });
    assert.deepEqual(await tested(engine, id), ["failed"]);
    const test = TEST.replace('"A\\n"', '"<a>\\n"');
    await drafts.changeFiles(caller, id, { revision: 2, changes: [write("tests/one.yml", test)] });
    assert.equal((await drafts.tests(caller, id)).tests[0]?.last?.is_current, false);
    assert.deepEqual(await tested(engine, id), ["passed"]);
    const published = await drafts.publish(caller, id, { revision: 3, version: "1.1.0" });
    assert.deepEqual(published.not_passed, []);
    const folder = join(root, "catalog/tools/shout/1.1.0");
    assert.equal(await readFile(join(folder, "shout.txt"), "utf8"), script);
    assert.equal(await readFile(join(folder, "tests/one.yml"), "utf8"), test);
    const shown = engine.catalog.getTool(caller, "shout", "1.1.0");
    assert.deepEqual([shown.validation.issues, shown.versions.length], [[], 2]);
  });

  it("are named by their paths in the catalog if one is missing", async () => {
    const { drafts, id } = await start();
    const text = `${SHOUT}doc: {$include: none.md}\n`;
    const messages = async () => (await drafts.check(caller, id)).validation.issues.map(({ message }) => message);
    await drafts.save(caller, id, { revision: 1, text });
    const expected = ["doc: cannot read tools/shout/1.0.0/none.md"];
    assert.deepEqual(await messages(), expected);
    await drafts.changeFiles(caller, id, { revision: 2, changes: [write("more.txt", "x")] });
    assert.deepEqual(await messages(), expected);
  });

  it("stay executable with another text and name, in an export, an import and a version", async () => {
    const { drafts, id, root } = await start();
    const isExecutable = async (path: string) => ((await stat(join(root, "catalog", path))).mode & 0o100) !== 0;
    await chmod(join(root, "catalog/tools/shout/1.0.0/shout.txt"), 0o755);
    const rename = (path: string, to: string): DraftFileChange => ({ do: "rename", path, to });
    const changes = [write("data/plain.txt", "x"), rename("shout.txt", "say.sh"), write("say.sh", "loud\n")];
    await drafts.changeFiles(caller, id, { revision: 1, changes: [...changes, rename("say.sh", "shout.txt")] });
    await drafts.changeFiles(caller, id, { revision: 2, changes: [write("shout.txt", "louder\n")] });
    const bytes = await buffer((await drafts.draftSources(caller, id)).open());
    const modes = readZip(bytes).map(({ name, mode }) => [name.split("/1.0.1/")[1], (mode & 0o100) !== 0] as const);
    assert.deepEqual(Object.fromEntries(modes), {
      ...{ "shout.cwl": false, "shout.txt": true, "data/plain.txt": false, "tests/one.yml": false },
    });
    const group = await drafts.importZip(caller, { content: Readable.from([bytes]), title: "x", collisions: "new-id" });
    const [copy] = group.drafts;
    await drafts.publish(caller, copy?.draft.draft_id ?? "", { revision: 1, version: "1.0.0", anyway: true });
    await drafts.publish(caller, id, { revision: 3, version: "1.1.0", anyway: true });
    for (const version of ["shout/1.1.0", `${copy?.draft.id}/1.0.0`])
      assert.deepEqual(
        [await isExecutable(`tools/${version}/shout.txt`), await isExecutable(`tools/${version}/tests/one.yml`)],
        [true, false],
        version,
      );
  });
});

describe("publishing", () => {
  it("waits for tests that pass with this revision, unless the author decides otherwise", async () => {
    const { drafts, engine, id } = await start(TEST.replace('"A\\n"', '"B\\n"'));
    const publish = (version: string, anyway?: boolean) =>
      drafts.publish(caller, id, { revision: 1, version, ...(anyway === undefined ? {} : { anyway }) });
    await assert.rejects(publish("1.1.0"), refused("conflict", /one\\" has not run with this revision/));
    assert.deepEqual(await tested(engine, id), ["failed"]);
    await assert.rejects(publish("1.1.0"), refused("conflict", /one\\" failed/));
    assert.deepEqual((await publish("1.1.0", true)).not_passed, ["one"]);
    // Results of a draft are not those of a version.
    const params = { id: "shout", version: "1.1.0" };
    const { tests } = await ask(engine, "GET /api/tools/{id}/{version}/tests", { caller, params });
    assert.deepEqual(column(tests, "last"), [null]);
  });

  it("counts no result of an earlier text", async () => {
    const { drafts, engine, id } = await start();
    assert.deepEqual(await tested(engine, id), ["passed"]);
    await drafts.save(caller, id, { revision: 1, text: SHOUT.replace("loud.txt", "LOUD.txt") });
    await assert.rejects(drafts.publish(caller, id, { revision: 2, version: "1.1.0" }), refused("conflict"));
    assert.deepEqual(await tested(engine, id), ["passed"]);
    await drafts.publish(caller, id, { revision: 2, version: "1.1.0" });
  });
});
