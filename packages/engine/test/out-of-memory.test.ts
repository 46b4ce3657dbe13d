import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Engine } from "../src/port/engine.ts";
import type { Executor, JobExit, RunningJob } from "../src/executor/executor.ts";
import { LocalExecutor } from "../src/executor/local-executor.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const MIB = 1024 * 1024;
const root = await mkdtemp(join(tmpdir(), "weft-memory-"));
after(() => rm(root, { recursive: true }));

/** Is killed as the kernel does it, unless it was given a gibibyte. */
const HUNGRY = `[ "$1" -ge 1024 ] || kill -9 $$; echo "$1"`;
const DOCUMENTS = {
  "tools/hungry/1.0.0/hungry.cwl": {
    ...{ cwlVersion: "v1.2", class: "CommandLineTool", baseCommand: ["bash", "-c", HUNGRY, "hungry"] },
    requirements: { ResourceRequirement: { ramMin: 256, coresMin: 1 } },
    arguments: ["$(runtime.ram)"],
    ...{ inputs: [], outputs: { ram: "stdout" } },
  },
};
before(async () => {
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    await mkdir(join(root, "catalog", path, ".."), { recursive: true });
    await writeFile(join(root, "catalog", path), JSON.stringify(document));
  }
});

/** Local processes; whatever is killed by signal 9 was killed by the kernel for lack of memory. */
class ShortOfMemory implements Executor {
  readonly #inner = new LocalExecutor({ stamps: true, cgroups: undefined, limits: DEFAULT_LIMITS });
  readonly start: Executor["start"] = (launch) => short(this.#inner.start(launch));
  readonly inspect: Executor["inspect"] = (attempt) => this.#inner.inspect(attempt);
  readonly reattach: Executor["reattach"] = (launch) => short(this.#inner.reattach(launch));
  readonly kill: Executor["kill"] = (target) => this.#inner.kill(target);
  readonly close: Executor["close"] = () => this.#inner.close();
}

function short({ started, exit }: RunningJob): RunningJob {
  const killed = (end: JobExit): JobExit =>
    end.kind === "exited" && end.exitCode === 137 ? { ...end, oom: { source: "machine", kills: 1 } } : end;
  return { started, exit: exit.then(killed) };
}

let count = 0;
const open = (retryDelaysMs: readonly number[], stateFolder = join(root, `state-${++count}`)) =>
  openTestEngine(root, { stateFolder, jobs: 2, retryDelaysMs, executor: new ShortOfMemory() });

const attemptsOf = (engine: Engine, runId: string) =>
  engine.runs
    .job(caller, runId, "main")
    .attempts.map(({ state_reason, ram_bytes }) => [state_reason?.code, (ram_bytes ?? 0) / MIB]);

describe("a job that runs out of memory", () => {
  it("fails as that, with the evidence and what it had", async () => {
    const engine = await open([0]);
    const run = await runToEnd(engine, { tool: "hungry", inputs: {} });
    assert.equal(run.state_reason?.code, "OUT_OF_MEMORY");
    assert.match(run.state_reason?.message ?? "", /kernel killed a process on this machine.*requested 256 MiB/);
    assert.deepEqual(attemptsOf(engine, run.run_id), [["OUT_OF_MEMORY", 256]]);
    await engine.stop("cancel");
  });

  it("is tried again with more where the run says so", async () => {
    const engine = await open([0]);
    const options = { on_out_of_memory: { multiply: 2 } };
    const run = await runToEnd(engine, { tool: "hungry", inputs: {}, options });
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(attemptsOf(engine, run.run_id), [
      ["OUT_OF_MEMORY", 256],
      ["OUT_OF_MEMORY", 512],
      [undefined, 1024],
    ]);
    await engine.stop("cancel");
  });

  it("is given no more than the run allows, and fails with that", async () => {
    const engine = await open([0]);
    const options = { on_out_of_memory: { multiply: 2, up_to_bytes: 600 * MIB } };
    const run = await runToEnd(engine, { tool: "hungry", inputs: {}, options });
    assert.equal(run.state_reason?.code, "OUT_OF_MEMORY");
    assert.deepEqual(
      attemptsOf(engine, run.run_id).map(([, mib]) => mib),
      [256, 512, 600],
    );
    await engine.stop("cancel");
  });

  it("gets from the next server what this one would have given it", async () => {
    const state = join(root, "over-a-restart");
    const first = await open([600_000], state);
    const options = { on_out_of_memory: { multiply: 4 } };
    const runId = await startRun(first, { tool: "hungry", inputs: {}, options });
    await untilRun(first, runId, () => first.runs.jobs(caller, runId, {}).jobs[0]?.attempt === 2);
    await first.stop("detach");
    const second = await open([0], state);
    const run = await endedRun(second, runId);
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(
      attemptsOf(second, runId).map(([, mib]) => mib),
      [256, 1024],
    );
    await second.stop("cancel");
  });
});
