import assert from "node:assert/strict";
import { it } from "node:test";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { column, columns } from "../src/testing/columns.ts";

const say: Program = ({ args: [text = ""], print }) =>
  text.startsWith("hang") ? new Promise<void>(() => {}) : print(`${text}\n`);

const SAY = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: say
inputs: {script: {type: string, inputBinding: {position: 1}}}
stdout: said.txt
outputs: {said: stdout}
`;
const ALL = `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}}
inputs: {scripts: "string[]"}
steps: {say: {run: ../../tools/say/1.0.0/say.cwl, scatter: script, in: {script: scripts}, out: [said]}}
outputs: {said: {type: "File[]", outputSource: say/said}}
`;

const { engine } = await serveFiles(
  { "catalog/tools/say/1.0.0/say.cwl": SAY, "catalog/networks/all/all.cwl": ALL },
  { programs: { say } },
);
const queue = (query: RouteQuery<"GET /api/server/queue">, by = caller) =>
  ask(engine, "GET /api/server/queue", { caller: by, query });
const disk = (query: RouteQuery<"GET /api/server/disk">, by = caller) =>
  ask(engine, "GET /api/server/disk", { caller: by, query });

const eve: Caller = { ...caller, principal: "eve", othersRuns: "hidden" };
const start = (script: string, priority: number) =>
  startRun(engine, {
    network: "all",
    inputs: { scripts: Array.from({ length: 5 }, (_, index) => `${script} # ${index}`) },
    options: { priority, max_parallel_jobs: 1, cache: "off" },
  });
const waits = (runId: string) =>
  untilRun(engine, runId, ({ job_counts: { RUNNING = 0, QUEUED = 0 } }) => RUNNING === 1 && QUEUED === 4);

it("lists waiting jobs with their reasons by run, and hides other users' runs", async () => {
  const runIds = [await start("hang", 0), await start("hang", 5)];
  for (const runId of runIds) await waits(runId);
  const first = await queue({ page_size: 1 });
  assert.equal(first.total, 2);
  const [urgent] = first.runs;
  assert.deepEqual(
    [urgent?.run_id, urgent?.priority, urgent?.jobs_running, urgent?.jobs_waiting],
    [runIds[1], 5, 1, 4],
  );
  assert.deepEqual(columns(urgent?.reasons, "waiting_for", "jobs"), [["run_bound", 4]]);
  assert.match(urgent?.reasons[0]?.message ?? "", /limited to 1 job at a time/);
  assert.ok(Date.parse(urgent?.waiting_since ?? "") <= Date.now());
  const second = await queue({ page_size: 1, page_token: first.next_page_token });
  assert.deepEqual([second.runs[0]?.run_id, second.next_page_token], [runIds[0], ""]);
  const hidden = await queue({}, eve);
  assert.deepEqual([hidden.runs, hidden.total, hidden.jobs_hidden], [[], 0, 8]);
  await assert.rejects(queue({ page_token: "WzFd" }), { code: "invalid-parameters" });

  const [local] = (await ask(engine, "GET /api/server/backends", { caller })).backends;
  assert.deepEqual([local?.kind, local?.is_default, local?.jobs_running], ["local", true, 2]);

  const load = await ask(engine, "GET /api/server/load", { caller, query: { hours: 1 } });
  assert.equal(load.jobs.length, 120);
  assert.ok((load.jobs.at(-1)?.running ?? 0) > 0 && (load.jobs.at(-1)?.waiting ?? 0) > 0);
  for (const runId of runIds) await engine.runs.abort(caller, runId, 30_000);
});

it("lists the disk usage of ended runs, largest first", async () => {
  const runId = await start("hello", 0);
  await untilRun(engine, runId, ({ storage }) => storage !== null);
  const first = await disk({ page_size: 1 });
  assert.deepEqual([first.processes[0]?.id, first.processes[0]?.kind], ["all", "network"]);
  assert.ok((first.processes[0]?.total_bytes ?? 0) >= (first.runs[0]?.total_bytes ?? 1));
  assert.equal(first.runs.length, 1);
  const sizes = [...first.runs];
  for (let token = first.next_page_token; token !== "";) {
    const page = await disk({ page_size: 1, page_token: token });
    sizes.push(...page.runs);
    token = page.next_page_token;
  }
  assert.equal(sizes.length, first.total);
  assert.deepEqual(
    column(sizes, "total_bytes"),
    sizes.map((run) => run.total_bytes).toSorted((a, b) => b - a),
  );
  assert.equal(new Set(sizes.map((run) => run.run_id)).size, sizes.length);
  assert.deepEqual((await disk({ process: "none" })).runs, []);
  const hidden = await disk({}, eve);
  assert.deepEqual([hidden.processes, hidden.runs, hidden.total], [[], [], 0]);
  await assert.rejects(disk({ page_token: "x" }), { code: "invalid-parameters" });
});
