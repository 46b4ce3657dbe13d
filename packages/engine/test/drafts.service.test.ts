import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../src/port/caller.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { endedRun, retryRun } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

/** Does what the helper file says. */
const sh: Program = ({ args: [file = "", word = ""], read, print }) => {
  assert.match(read(file), /tr a-z A-Z/);
  print(`${word.toUpperCase()}\n`);
};

const ann: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "visible" };
const bob: Caller = { ...ann, principal: "bob" };

const SHOUT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, shout.sh]
# The program is next to this document.
requirements:
  InitialWorkDirRequirement:
    listing:
      - class: File
        location: shout.sh
inputs:
  word: {type: string, default: hello, inputBinding: {}}
outputs:
  loud: {type: stdout}
stdout: loud.txt
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs:
  word: string
outputs:
  loud: {type: File, outputSource: shout/loud}
steps:
  shout:
    run: ../../tools/shout/1.0.0/shout.cwl # a comment
    in: {word: word}
    out: [loud]
`;

const FILES = {
  "catalog/tools/shout/1.0.0/shout.cwl": SHOUT,
  "catalog/tools/shout/1.0.0/shout.sh": 'echo "$1" | tr a-z A-Z\n',
  "catalog/tools/shout/1.0.0/examples/one.yml": "word: one\n",
  "catalog/networks/loud/loud.cwl": NETWORK,
  "catalog/networks/loud/examples/two.yml": "word: two\n",
};

async function start() {
  const served = await serveFiles(FILES, { programs: { sh } });
  return { ...served, drafts: draftsOf(served.engine) };
}

test("a draft survives a restart, and two editors never replace each other's text", async () => {
  const { drafts, restart, root } = await start();
  const draft = await drafts.create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  assert.deepEqual([draft.text, draft.path], [SHOUT, "tools/shout/1.0.0/shout.cwl"]);
  const saved = await drafts.save(ann, draft.draft_id, { revision: 1, text: `${SHOUT}# by ann\n` });
  assert.equal(saved.revision, 2);
  const late = drafts.save(bob, draft.draft_id, { revision: 1, text: "# by bob" });
  await assert.rejects(late, { code: "precondition-failed" });
  await writeFile(join(root, "state/drafts/half.partial"), "{");
  const again = draftsOf(await restart());
  const [listed] = await again.list(bob);
  assert.deepEqual([listed?.draft_id, listed?.revision, listed?.updated_by], [draft.draft_id, 2, "ann"]);
  assert.equal((await again.get(bob, draft.draft_id)).text, `${SHOUT}# by ann\n`);
  assert.deepEqual(await readdir(join(root, "state/drafts")), [`${draft.draft_id}.json`]);
  await again.discard(bob, draft.draft_id);
  await assert.rejects(again.get(ann, draft.draft_id), { code: "not-found" });
});

test("exactly one of many simultaneous saves wins each revision", async () => {
  const { drafts } = await start();
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "other" });
  const texts = Array.from({ length: 20 }, (_, index) => `# ${index}`);
  const saves = await Promise.allSettled(texts.map((text) => drafts.save(ann, id, { revision: 1, text })));
  const won = texts.filter((_, index) => saves[index]?.status === "fulfilled");
  assert.deepEqual(won, [(await drafts.get(ann, id)).text]);
});

test("publishing adds a version with helper files, checksums and the author's name", async () => {
  const { drafts, engine, root } = await start();
  const { catalog } = engine;
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  await drafts.save(ann, id, { revision: 1, text: SHOUT.replace("hello", "hey") });
  const { proposal, validation, tool, base_text } = await drafts.check(ann, id);
  assert.deepEqual([proposal.version, proposal.level, validation.status], ["1.1.0", "minor", "valid"]);
  assert.deepEqual(proposal.reasons, [{ level: "minor", text: "The default of the input word has changed" }]);
  assert.deepEqual([base_text, tool?.inputs[0]?.default], [SHOUT, "hey"]);
  await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "1.0.0" }), { code: "conflict" });
  await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "unversioned" }), { code: "invalid-body" });
  await assert.rejects(drafts.publish(ann, id, { revision: 1, version: "1.1.0" }), { code: "precondition-failed" });
  const published = await drafts.publish(ann, id, { revision: 2, version: "1.1.0" });
  assert.equal(published.url, "http://weft.test/api/tools/shout/1.1.0");
  const folder = join(root, "catalog/tools/shout/1.1.0");
  assert.deepEqual((await readdir(folder)).sort(), ["PINNED.json", "examples", "shout.cwl", "shout.sh"]);
  const pin = JSON.parse(await readFile(join(folder, "PINNED.json"), "utf8"));
  assert.equal(pin.published.by, "ann");
  assert.deepEqual(Object.keys(pin.files).sort(), ["examples/one.yml", "shout.cwl", "shout.sh"]);
  const shown = catalog.getTool(ann, "shout", undefined);
  assert.deepEqual([shown.version, shown.validation.status, shown.examples.length], ["1.1.0", "valid", 1]);
  assert.equal(shown.versions.find(({ version }) => version === "1.1.0")?.pinned, true);
  assert.deepEqual(await drafts.list(ann), []);
  assert.deepEqual((await readdir(join(root, "catalog"))).sort(), ["networks", "tools"]);
});

test("a network without versions keeps its document, and references from the new folder still resolve", async () => {
  const { drafts, engine, root } = await start();
  const { catalog } = engine;
  const draft = await drafts.create(ann, { kind: "network", id: "loud", based_on: "unversioned" });
  assert.equal(draft.path, "networks/loud/loud.cwl");
  const check = await drafts.check(ann, draft.draft_id);
  assert.equal(check.proposal.version, "1.0.0");
  assert.equal(check.published_text, NETWORK.replace("../../tools", "../../../tools"));
  await drafts.publish(ann, draft.draft_id, { revision: 1, version: "1.0.0" });
  const shown = catalog.getNetwork(ann, "loud", undefined);
  assert.deepEqual([shown.version, shown.validation.issues, shown.examples.length], ["1.0.0", [], 1]);
  assert.equal(catalog.getNetwork(ann, "loud", "unversioned").version, null);
  assert.equal(await readFile(join(root, "catalog/networks/loud/loud.cwl"), "utf8"), NETWORK);
  const next = await drafts.create(ann, { kind: "network", id: "loud", based_on: "1.0.0" });
  assert.equal(next.path, "networks/loud/1.0.0/loud.cwl");
});

test("a draft with errors is neither run nor published, and a new draft is valid", async () => {
  const { drafts, root } = await start();
  for (const kind of ["tool", "network"] as const) {
    const { draft_id: id } = await drafts.create(ann, { kind, id: "brand-new" });
    assert.deepEqual((await drafts.check(ann, id)).validation, { status: "valid", issues: [] });
    await drafts.save(ann, id, { revision: 1, text: "class: [" });
    assert.equal((await drafts.check(ann, id)).validation.status, "invalid");
    const invalid = { code: "invalid-document" };
    await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "1.0.0" }), invalid);
    await assert.rejects(drafts.run(ann, id, { body: {}, idempotencyKey: undefined }), invalid);
    assert.equal(existsSync(join(root, `catalog/${kind}s/brand-new`)), false);
  }
  await assert.rejects(drafts.create(ann, { kind: "tool", id: "shout" }), { code: "conflict" });
});

test("a draft reads no file outside the catalog", async () => {
  const { drafts, root } = await start();
  await writeFile(join(root, "secret.txt"), "echo secret");
  const text = SHOUT.replace("[sh, shout.sh]", "{$include: ../../../../secret.txt}");
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "spy", text });
  const check = await drafts.check(ann, id);
  assert.equal(check.validation.status, "invalid");
  assert.doesNotMatch(JSON.stringify(check), /echo secret/);
});

test("a run of a draft uses its helper files and records its revision", async () => {
  const { drafts, engine } = await start();
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  await drafts.save(ann, id, { revision: 1, text: SHOUT.replace("hello", "psst") });
  const plan = await drafts.plan(ann, id, {});
  assert.match(JSON.stringify(plan), /psst/);
  const { run } = await drafts.run(ann, id, { body: {}, idempotencyKey: "k" });
  const again = await drafts.run(ann, id, { body: {}, idempotencyKey: "k" });
  assert.deepEqual([again.replayed, again.run.run_id], [true, run.run_id]);
  assert.deepEqual(run.draft, { draft_id: id, revision: 2 });
  assert.match(run.name, /^Draft of shout/);
  const ended = await endedRun(engine, run.run_id);
  assert.deepEqual([ended.state, ended.archived], ["COMPLETE", true], "lists show the runs of published documents");
  await engine.files.runFile(ann, run.run_id, "outputs/loud.txt");
  const retry = await retryRun(engine, run.run_id);
  assert.deepEqual(retry.draft, { draft_id: id, revision: 2 }, "a retry uses the same document");
});
