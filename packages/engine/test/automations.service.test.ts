import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { eventSchema } from "@weft/shared/events/event.ts";
import { STARTED_BEFORE } from "@weft/shared/dataset/narrow-result.ts";
import { createLinks } from "@weft/shared/links.ts";
import { createAutomationSchema } from "@weft/shared/records/automation-record.ts";
import type { CreateAutomation } from "@weft/shared/records/automation-record.ts";
import type { Caller } from "../src/port/caller.ts";
import type { Engine } from "../src/port/engine.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { datasetsOf } from "../src/testing/ask-datasets.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column } from "../src/testing/columns.ts";

const executor = new ScriptedExecutor();

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
const root = temporaryFolder();
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
let engine: Engine;

function open(): Promise<Engine> {
  return openTestEngine(root, {
    executor,
    ...{ container: "none", dataFolders: { study: join(root, "study") }, automationIntervalMs: 50 },
    actAs: ({ owner: principal }) => ({ role: "runner", caller: { principal, links, othersRuns: "hidden" } }),
  });
}

const settings = (more: Partial<CreateAutomation> = {}) => createAutomationSchema.parse({ ...ONE, ...more });

/** Renames a file into place: nothing waits for files to settle, so a half-written file would become a sample. */
async function put(name: string, text = name): Promise<void> {
  const half = join(root, `${name}.half`);
  await writeFile(half, text);
  await rename(half, join(root, "study", `${name}.nii`));
}

/** Names of the samples in the runs of an automation, once there are as many as wanted. */
async function startedSamples(id: string, wanted: number): Promise<readonly string[]> {
  for (;;) {
    const { history } = await ask(engine, "GET /api/automations/{automation_id}/history", {
      caller: ann,
      params: { automation_id: id },
    });
    const runs = history.flatMap(({ run_id: runId }) => (runId === null ? [] : [engine.runs.get(ann, runId)]));
    const names = runs.flatMap(({ samples }) => samples);
    if (names.length >= wanted && runs.every(({ end_time: end }) => end !== null)) return names.toSorted();
    // eslint-disable-next-line no-await-in-loop -- waits for the next event
    await new Promise<void>((resolve) => {
      const stop = engine.events.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}

before(async () => {
  writeFiles(root, { "catalog/networks/copy/copy.cwl": NETWORK, "study/": "" });
  engine = await open();
});
after(() => engine.stop("cancel"));

describe("automations", () => {
  it("start exactly the new samples of a folder, even after a restart", async () => {
    await put("sub-01");
    const plan = await ask(engine, "POST /api/automation-plans", { caller: ann, body: settings() });
    assert.deepEqual([plan.would_start, plan.samples.map(({ name }) => name)], [1, ["sub-01"]]);
    const { automation_id: id } = await ask(engine, "POST /api/automations", { caller: ann, body: settings() });
    assert.deepEqual(await startedSamples(id, 1), ["sub-01"]);
    await engine.stop("detach");
    for (const n of [2, 3, 4, 5, 6]) await put(`sub-0${n}`);
    engine = await open();
    const all = [1, 2, 3, 4, 5, 6].map((n) => `sub-0${n}`);
    assert.deepEqual(await startedSamples(id, 6), all);
    assert.equal(
      (await ask(engine, "GET /api/automations/{automation_id}/plan", { caller: ann, params: { automation_id: id } }))
        .would_start,
      0,
    );
    const [newest] = (
      await ask(engine, "GET /api/automations/{automation_id}/history", { caller: ann, params: { automation_id: id } })
    ).history.flatMap(({ run_id: runId }) => runId ?? []);
    const recorded = await datasetsOf(engine).ofRun(ann, newest ?? "");
    assert.deepEqual(column(recorded?.result.samples, "name"), engine.runs.get(ann, newest ?? "").samples);
    assert.deepEqual(recorded?.result.left_out[0], { kind: "sample", name: "sub-01", reason: STARTED_BEFORE });
    // A file with new content is a new sample.
    await put("sub-03", "changed since");
    assert.deepEqual(await startedSamples(id, 7), [...all, "sub-03"].toSorted());
    const { events } = engine.events.page(ann, { pageSize: 500 });
    for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
    await ask(engine, "DELETE /api/automations/{automation_id}", { caller: ann, params: { automation_id: id } });
  });

  it("belong to one person, and are paused and resumed", async () => {
    const { automation_id: id } = await ask(engine, "POST /api/automations", {
      caller: ann,
      body: settings({ name: "Second" }),
    });
    assert.deepEqual((await ask(engine, "GET /api/automations", { caller: bob })).automations, []);
    await assert.rejects(
      ask(engine, "DELETE /api/automations/{automation_id}", { caller: bob, params: { automation_id: id } }),
      { code: "not-found" },
    );
    await assert.rejects(
      ask(engine, "POST /api/automations/{automation_id}/pause", { caller: bob, params: { automation_id: id } }),
      { code: "not-found" },
    );
    await assert.rejects(
      ask(engine, "GET /api/automations/{automation_id}/history", { caller: bob, params: { automation_id: id } }),
      { code: "not-found" },
    );
    const paused = await ask(engine, "POST /api/automations/{automation_id}/pause", {
      caller: ann,
      params: { automation_id: id },
    });
    assert.deepEqual([paused.state, paused.reason], ["paused", "ann paused it"]);
    assert.equal(
      (
        await ask(engine, "POST /api/automations/{automation_id}/resume", {
          caller: ann,
          params: { automation_id: id },
        })
      ).state,
      "active",
    );
    await ask(engine, "DELETE /api/automations/{automation_id}", { caller: ann, params: { automation_id: id } });
    assert.deepEqual((await ask(engine, "GET /api/automations", { caller: ann })).automations, []);
  });

  it("are refused if they could never start a run", async () => {
    const create = (more: Partial<CreateAutomation>) =>
      ask(engine, "POST /api/automations", { caller: ann, body: settings(more) });
    await assert.rejects(create({ network: "none" }), { code: "network-not-found" });
    const schedule = { kind: "schedule", time_zone: "UTC" } as const;
    await assert.rejects(create({ trigger: { ...schedule, cron: "99 99 * * *" } }), { code: "invalid-body" });
    await assert.rejects(create({ inputs: { text: "x".repeat(70_000) } }), { code: "invalid-body" });
    await assert.rejects(create({ dataset: { query_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11" } }), {
      code: "not-found",
    });
  });
});
