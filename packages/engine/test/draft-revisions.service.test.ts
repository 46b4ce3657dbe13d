import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caller } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const TOOL = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: { word: { type: string, default: one } }
outputs: { said: string }
expression: "$({said: inputs.word})"
`;

/** A draft at revision 2 whose user still sees revision 1. */
async function start() {
  const { engine } = await serveFiles({});
  const { runs } = engine;
  const drafts = draftsOf(engine);
  const { draft_id: id } = await drafts.create(caller, { kind: "tool", id: "say", text: TOOL });
  await drafts.save(caller, id, { revision: 1, text: TOOL.replace("one", "two") });
  return { drafts, runs, id };
}

const STALE = { code: "precondition-failed", message: /revision 2.*revision 1\b/ };

describe("an action on a draft", () => {
  it("is refused unless it names the current revision, and starts nothing", async () => {
    const { drafts, runs, id } = await start();
    const key = { body: {}, idempotencyKey: undefined };
    await assert.rejects(drafts.run(caller, id, { ...key, revision: 1 }), STALE);
    await assert.rejects(drafts.publish(caller, id, { revision: 1, version: "1.0.0" }), STALE);
    for (const act of [drafts.plan, drafts.runTests]) await assert.rejects(act(caller, id, {}, 1), STALE);
    for (const act of [drafts.check, drafts.discard, drafts.packed, drafts.draftSources])
      await assert.rejects(act(caller, id, 1), STALE);
    assert.deepEqual(runs.list(caller, {}).runs, []);
    assert.match(JSON.stringify(await drafts.plan(caller, id, {}, 2)), /say/);
    const { run } = await drafts.run(caller, id, { ...key, revision: 2 });
    assert.deepEqual(run.draft, { draft_id: id, revision: 2 });
  });

  it("returns the run of an earlier attempt, even if the draft has been changed or deleted since", async () => {
    const { drafts, id } = await start();
    const attempt = { body: {}, idempotencyKey: "once", revision: 2 };
    const { run } = await drafts.run(caller, id, attempt);
    await drafts.save(caller, id, { revision: 2, text: TOOL });
    const again = await drafts.run(caller, id, attempt);
    assert.deepEqual([again.replayed, again.run.run_id], [true, run.run_id]);
    await drafts.discard(caller, id);
    assert.equal((await drafts.run(caller, id, attempt)).run.run_id, run.run_id);
  });
});
