import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventSchema } from "@weft/shared/events/event.ts";
import { STARTED_BEFORE } from "@weft/shared/dataset/narrow-result.ts";
import { createLinks } from "@weft/shared/links.ts";
import { createAutomationSchema, type CreateAutomation } from "@weft/shared/records/automation-record.ts";
import type { Caller } from "../src/port/caller.ts";
import { untilEvent } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { datasetsOf } from "../src/testing/ask-datasets.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column } from "../src/testing/columns.ts";

const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { images: "File[]" }
steps:
  copy:
    scatter: image
    in: { image: images }
    out: [copy]
    run:
      class: CommandLineTool
      baseCommand: cat
      inputs: { image: { type: File, inputBinding: {} } }
      stdout: copy.txt
      outputs: { copy: stdout }
outputs: { copies: { type: "File[]", outputSource: copy/copy } }
`;
const links = createLinks("http://weft.test");
const ann: Caller = { principal: "ann", links, othersRuns: "hidden" };
const bob: Caller = { principal: "bob", links, othersRuns: "hidden" };
const ONE: CreateAutomation = {
  ...{ name: "New subjects", network: "copy", trigger: { kind: "samples" }, settle_s: 0 },
  dataset: {
    query: {
      location: "weft-data://study/",
      pattern: "{sample}.nii",
      per: ["sample"],
      columns: [{ kind: "file", name: "images" }],
    },
  },
};
const { root, restart, ...first } = await serveFiles(
  { "catalog/networks/copy/copy.cwl": NETWORK, "study/": "" },
  {
    ...{ data: ["study"], automationIntervalMs: 50 },
    actAs: ({ owner: principal }) => ({ role: "runner", caller: { principal, links, othersRuns: "hidden" } }),
  },
);
let { engine } = first;

const settings = (more: Partial<CreateAutomation> = {}) => createAutomationSchema.parse({ ...ONE, ...more });

/** Renames a file into place: nothing waits for files to settle, so a half-written file would become a sample. */
async function put(name: string, text = name): Promise<void> {
  const half = join(root, `${name}.half`);
  await writeFile(half, text);
  await rename(half, join(root, "study", `${name}.nii`));
}

/** Names of the samples in the runs of an automation, once there are as many as wanted. */
async function startedSamples(id: string, wanted: number): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await untilEvent(engine, async () => {
    const runs = (await runsOf(id)).map((runId) => engine.runs.get(ann, runId));
    names = runs.flatMap(({ samples }) => samples);
    return names.length >= wanted && runs.every(({ end_time: end }) => end !== null);
  });
  return names.toSorted();
}

const create = (more: Partial<CreateAutomation> = {}) =>
  ask(engine, "POST /api/automations", { caller: ann, body: settings(more) });
const at = (id: string, by = ann) => ({ caller: by, params: { automation_id: id } });
const list = async (by: Caller) => (await ask(engine, "GET /api/automations", { caller: by })).automations;
const remove = (id: string, by = ann) => ask(engine, "DELETE /api/automations/{automation_id}", at(id, by));
const pause = (id: string, by = ann) => ask(engine, "POST /api/automations/{automation_id}/pause", at(id, by));
const historyOf = (id: string, by = ann) => ask(engine, "GET /api/automations/{automation_id}/history", at(id, by));
const runsOf = async (id: string) => (await historyOf(id)).history.flatMap(({ run_id: runId }) => runId ?? []);

describe("automations", () => {
  it("start exactly the new samples of a folder, even after a restart", async () => {
    await put("sub-01");
    const plan = await ask(engine, "POST /api/automation-plans", { caller: ann, body: settings() });
    assert.deepEqual([plan.would_start, plan.samples.map(({ name }) => name)], [1, ["sub-01"]]);
    const { automation_id: id } = await create();
    assert.deepEqual(await startedSamples(id, 1), ["sub-01"]);
    await engine.stop("detach");
    for (const n of [2, 3, 4, 5, 6]) await put(`sub-0${n}`);
    engine = await restart();
    const all = [1, 2, 3, 4, 5, 6].map((n) => `sub-0${n}`);
    assert.deepEqual(await startedSamples(id, 6), all);
    assert.equal((await ask(engine, "GET /api/automations/{automation_id}/plan", at(id))).would_start, 0);
    const [newest = ""] = await runsOf(id);
    const recorded = await datasetsOf(engine).ofRun(ann, newest);
    assert.deepEqual(column(recorded?.result.samples, "name"), engine.runs.get(ann, newest).samples);
    assert.deepEqual(recorded?.result.left_out[0], { kind: "sample", name: "sub-01", reason: STARTED_BEFORE });
    // A file with new content is a new sample.
    await put("sub-03", "changed since");
    assert.deepEqual(await startedSamples(id, 7), [...all, "sub-03"].toSorted());
    const { events } = engine.events.page(ann, { pageSize: 500 });
    for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
    await remove(id);
  });

  it("belong to one person, and are paused and resumed", async () => {
    const { automation_id: id } = await create({ name: "Second" });
    assert.deepEqual(await list(bob), []);
    for (const act of [remove, pause, historyOf]) await assert.rejects(act(id, bob), { code: "not-found" });
    const paused = await pause(id);
    assert.deepEqual([paused.state, paused.reason], ["paused", "ann paused it"]);
    assert.equal((await ask(engine, "POST /api/automations/{automation_id}/resume", at(id))).state, "active");
    await remove(id);
    assert.deepEqual(await list(ann), []);
  });

  it("are created once for each key", async () => {
    const headers = { "idempotency-key": "k" };
    const send = (by: Caller, name: string) =>
      ask(engine, "POST /api/automations", { caller: by, headers, body: settings({ name }) });
    const [first, again, ofBob] = await Promise.all([send(ann, "Once"), send(ann, "Once"), send(bob, "Once")]);
    assert.deepEqual([again, (await list(ann)).length], [first, 1]);
    assert.notEqual(ofBob.automation_id, first.automation_id);
    await assert.rejects(send(ann, "Other"), { code: "idempotency-key-reused" });
    await remove(first.automation_id);
    await remove(ofBob.automation_id, bob);
  });

  it("are refused if they could never start a run", async () => {
    await assert.rejects(create({ network: "none" }), { code: "network-not-found" });
    const schedule = { kind: "schedule", time_zone: "UTC" } as const;
    await assert.rejects(create({ trigger: { ...schedule, cron: "99 99 * * *" } }), { code: "invalid-body" });
    await assert.rejects(create({ inputs: { text: "x".repeat(70_000) } }), { code: "invalid-body" });
    const alone = { trigger: { ...schedule, cron: "0 3 * * *" }, dataset: undefined };
    for (const [inputs, message] of [
      [{}, /`images` of type File\[\] is required/],
      [{ images: 5 }, /expected File\[\]/],
      [{ images: [], none: 1 }, /there is no input `none`/],
    ] as const)
      await assert.rejects(create({ ...alone, inputs }), { code: "invalid-body", message });
    await assert.rejects(create({ inputs: { none: 1 } }), {
      code: "invalid-body",
      message: /there is no input `none`/,
    });
    const dataset = { query_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11" };
    await assert.rejects(create({ dataset }), { code: "not-found" });
  });
});
