import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller, Engine } from "../src/engine.ts";
import { openEngine } from "../src/open-engine.ts";
import { writeTestCatalog } from "./test-catalog.ts";

const root = await mkdtemp(join(tmpdir(), "weft-retries-"));
const catalogFolder = join(root, "catalog");
await writeTestCatalog(catalogFolder);
after(() => rm(root, { recursive: true }));
const caller: Caller = { principal: "ann", links: createLinks("http://weft.test") };

const open = (retryDelaysMs: readonly number[]) =>
  openEngine({
    version: "test",
    stateFolder: join(root, "state"),
    catalogFolder,
    dataFolders: {},
    jobs: undefined,
    retryDelaysMs,
    maxUploadBytes: 1000,
    log: () => {},
  });

async function until({ runs }: Engine, runId: string, isSo: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run = runs.get(caller, runId);
    if (isSo(run)) return run;
    await runs.waitForChange(runId, run.revision, 10_000, new AbortController().signal);
  }
}

it("a job that waits for its next attempt goes on waiting in the next server, and has no attempt twice", async () => {
  const first = await open([600_000]);
  const body = { tool: "act", inputs: { how: "3" }, options: { retries: 1 } };
  const { run_id: runId } = (await first.runs.create(caller, { body, idempotencyKey: undefined })).run;
  const waits = ({ runs }: Engine) => runs.jobs(caller, runId, {}).jobs[0]?.attempt === 2;
  await until(first, runId, () => waits(first));
  await first.stop("detach");

  const second = await open([600_000]);
  const waiting = second.runs.jobs(caller, runId, {}).jobs[0];
  assert.deepEqual([waiting?.state, waiting?.attempt, waiting?.state_reason?.code], ["QUEUED", 2, "WAITING"]);
  await second.stop("detach");

  const third = await open([0]);
  const run = await until(third, runId, ({ state }) => isFinal(state));
  assert.equal(run.state, "EXECUTOR_ERROR");
  const { attempts } = third.runs.job(caller, runId, waiting?.job_id ?? "");
  assert.deepEqual(
    attempts.map(({ attempt, exit_code }) => [attempt, exit_code]),
    [
      [1, 3],
      [2, 3],
    ],
  );
  await third.stop("cancel");
});
