import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { Caller } from "../src/port/caller.ts";
import type { Engine } from "../src/port/engine.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";

const executor = new ScriptedExecutor({
  /** Does what the helper file says. */
  sh({ args: [file = "", word = ""], read, print }) {
    assert.match(read(file), /tr a-z A-Z/);
    print(`${word.toUpperCase()}\n`);
  },
});

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

async function start(t: TestContext): Promise<{ engine: Engine; root: string; reopen: () => Promise<Engine> }> {
  const root = temporaryFolder({
    "catalog/tools/shout/1.0.0/shout.cwl": SHOUT,
    "catalog/tools/shout/1.0.0/shout.sh": 'echo "$1" | tr a-z A-Z\n',
    "catalog/tools/shout/1.0.0/examples/one.yml": "word: one\n",
    "catalog/networks/loud/loud.cwl": NETWORK,
    "catalog/networks/loud/examples/two.yml": "word: two\n",
  });
  let engine = await openTestEngine(root, { executor });
  t.after(() => engine.stop("cancel"));
  const reopen = async () => {
    await engine.stop("detach");
    engine = await openTestEngine(root, { executor });
    return engine;
  };
  return { engine, root, reopen };
}

const refused = (code: ProblemCode) => (error: unknown) => error instanceof Refusal && error.code === code;

test("a draft survives a restart, and two editors never replace each other's text", async (t) => {
  const { engine, reopen, root } = await start(t);
  const draft = await draftsOf(engine).create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  assert.equal(draft.text, SHOUT);
  assert.equal(draft.path, "tools/shout/1.0.0/shout.cwl");
  const saved = await draftsOf(engine).save(ann, draft.draft_id, { revision: 1, text: `${SHOUT}# by ann\n` });
  assert.equal(saved.revision, 2);
  await assert.rejects(
    draftsOf(engine).save(bob, draft.draft_id, { revision: 1, text: "# by bob" }),
    refused("precondition-failed"),
  );
  await writeFile(join(root, "state/drafts/half.partial"), "{");
  const again = draftsOf(await reopen());
  const [listed] = await again.list(bob);
  assert.deepEqual([listed?.draft_id, listed?.revision, listed?.updated_by], [draft.draft_id, 2, "ann"]);
  assert.equal((await again.get(bob, draft.draft_id)).text, `${SHOUT}# by ann\n`);
  assert.deepEqual(await readdir(join(root, "state/drafts")), [`${draft.draft_id}.json`]);
  await again.discard(bob, draft.draft_id);
  await assert.rejects(again.get(ann, draft.draft_id), refused("not-found"));
});

test("exactly one of many simultaneous saves wins each revision", async (t) => {
  const { engine } = await start(t);
  const { draft_id: id } = await draftsOf(engine).create(ann, { kind: "tool", id: "other" });
  const saves = Array.from({ length: 20 }, (_, index) =>
    draftsOf(engine)
      .save(ann, id, { revision: 1, text: `# ${index}` })
      .then(
        () => index,
        () => undefined,
      ),
  );
  const won = (await Promise.all(saves)).filter((index) => index !== undefined);
  assert.equal(won.length, 1);
  assert.equal((await draftsOf(engine).get(ann, id)).text, `# ${won[0]}`);
});

test("publishing adds a version with helper files, checksums and the author's name", async (t) => {
  const { engine, root } = await start(t);
  const { catalog } = engine;
  const drafts = draftsOf(engine);
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  await drafts.save(ann, id, { revision: 1, text: SHOUT.replace("hello", "hey") });
  const { proposal, validation, tool, base_text } = await drafts.check(ann, id);
  assert.deepEqual([proposal.version, proposal.level, validation.status], ["1.1.0", "minor", "valid"]);
  assert.deepEqual(proposal.reasons, [{ level: "minor", text: "The default of the input word has changed" }]);
  assert.deepEqual([base_text, tool?.inputs[0]?.default], [SHOUT, "hey"]);
  await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "1.0.0" }), refused("conflict"));
  await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "unversioned" }), refused("invalid-body"));
  await assert.rejects(drafts.publish(ann, id, { revision: 1, version: "1.1.0" }), refused("precondition-failed"));
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

test("a network without versions keeps its document, and references from the new folder still resolve", async (t) => {
  const { engine, root } = await start(t);
  const { catalog } = engine;
  const drafts = draftsOf(engine);
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

test("a draft with errors is neither run nor published, and a new draft is valid", async (t) => {
  const { engine, root } = await start(t);
  const drafts = draftsOf(engine);
  for (const kind of ["tool", "network"] as const) {
    const { draft_id: id } = await drafts.create(ann, { kind, id: "brand-new" });
    assert.deepEqual((await drafts.check(ann, id)).validation, { status: "valid", issues: [] });
    await drafts.save(ann, id, { revision: 1, text: "class: [" });
    assert.equal((await drafts.check(ann, id)).validation.status, "invalid");
    await assert.rejects(drafts.publish(ann, id, { revision: 2, version: "1.0.0" }), refused("invalid-document"));
    await assert.rejects(drafts.run(ann, id, { body: {}, idempotencyKey: undefined }), refused("invalid-document"));
    assert.equal(existsSync(join(root, `catalog/${kind}s/brand-new`)), false);
  }
  await assert.rejects(drafts.create(ann, { kind: "tool", id: "shout" }), refused("conflict"));
});

test("a draft reads no file outside the catalog", async (t) => {
  const { engine, root } = await start(t);
  await writeFile(join(root, "secret.txt"), "echo secret");
  const text = SHOUT.replace("[sh, shout.sh]", "{$include: ../../../../secret.txt}");
  const { draft_id: id } = await draftsOf(engine).create(ann, { kind: "tool", id: "spy", text });
  const check = await draftsOf(engine).check(ann, id);
  assert.equal(check.validation.status, "invalid");
  assert.doesNotMatch(JSON.stringify(check), /echo secret/);
});

test("a run of a draft uses its helper files and records its revision", async (t) => {
  const { engine } = await start(t);
  const { runs } = engine;
  const drafts = draftsOf(engine);
  const { draft_id: id } = await drafts.create(ann, { kind: "tool", id: "shout", based_on: "1.0.0" });
  await drafts.save(ann, id, { revision: 1, text: SHOUT.replace("hello", "psst") });
  const plan = await drafts.plan(ann, id, {});
  assert.match(JSON.stringify(plan), /psst/);
  const { run } = await drafts.run(ann, id, { body: {}, idempotencyKey: "k" });
  const again = await drafts.run(ann, id, { body: {}, idempotencyKey: "k" });
  assert.deepEqual([again.replayed, again.run.run_id], [true, run.run_id]);
  assert.deepEqual(run.draft, { draft_id: id, revision: 2 });
  assert.match(run.name, /^Draft of shout/);
  const signal = new AbortController().signal;
  for (let state = runs.status(ann, run.run_id); state.outcome === null; state = runs.status(ann, run.run_id))
    await runs.waitForChange(ann, run.run_id, { revision: state.revision, timeoutMs: 20_000, signal });
  const ended = runs.get(ann, run.run_id);
  assert.deepEqual([ended.state, ended.archived], ["COMPLETE", true], "lists show the runs of published documents");
  const file = await engine.files.runFile(ann, run.run_id, "outputs/loud.txt").catch((error: unknown) => error);
  assert.ok(!(file instanceof Error), String(file));
  const retry = await runs.retry(ann, run.run_id, { body: {}, idempotencyKey: undefined });
  assert.deepEqual(retry.run.draft, { draft_id: id, revision: 2 }, "a retry uses the same document");
});
