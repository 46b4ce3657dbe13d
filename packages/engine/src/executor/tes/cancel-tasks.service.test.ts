import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { tesQueue } from "./tes-system.ts";
import { DEFAULT_TES } from "./tes-settings.ts";
import type { TaskView } from "./task-view.ts";
import type { Answer } from "./tes-client.ts";
import type { Deviations } from "./testing/local-tes-server.ts";
import { textOf } from "../testing/launch.ts";
import { executorAt, heldJob, launchOf, opened } from "./testing/tes-jobs.ts";

/** A job whose task a server runs. */
async function runningJob(t: TestContext, command: string, deviations?: Deviations) {
  const server = await opened(t, deviations);
  const { executor } = executorAt(t, server.url);
  const launch = launchOf(command);
  const { started, exit } = executor.submit(launch);
  await started;
  return { server, executor, runId: launch.runId, exit };
}

describe("ending jobs at a TES server", () => {
  it("proves by the server's report that a program and its children are gone", async (t) => {
    const { server, executor, runId, exit } = await runningJob(t, "sleep 300 & sleep 300");
    const report = await executor.cancel({ runId, graceMs: 100 });
    assert.deepEqual([report.proven, report.evidence, report.left], [true, ["tes"], []]);
    assert.deepEqual(
      report.jobs.map(({ jobId, attempt, found }) => [jobId, attempt, found]),
      [["j", 1, 1]],
    );
    assert.deepEqual(server.states, ["CANCELED"]);
    assert.equal(textOf(await exit), "lost");
  });

  it("ends one attempt of a run that an earlier server posted, using only its folder", async (t) => {
    const { server, launch, executor: first } = await heldJob(t, "true", { failsToCancelEnded: true });
    await first.close();
    const { executor } = executorAt(t, server.url);
    const target = { runId: launch.runId, job: { jobId: "j", attempt: 1 }, graceMs: 100 };
    const report = await executor.cancel(target);
    assert.deepEqual([report.proven, server.states], [true, ["CANCELED"]]);
    const again = await executor.cancel(target);
    assert.deepEqual([again.proven, again.jobs], [true, []]);
  });

  it("ends every task of a key, should there be two", async (t) => {
    const { server, launch, executor } = await heldJob(t, "true");
    const [task] = server.posted;
    assert.ok(task !== undefined);
    await fetch(`${server.url}/tasks`, { method: "POST", body: JSON.stringify(task) });
    const report = await executor.cancel({ runId: launch.runId, graceMs: 100 });
    assert.deepEqual([report.proven, server.states], [true, ["CANCELED", "CANCELED"]]);
  });

  it("proves nothing while the server does not answer", async (t) => {
    const { server, launch, executor } = await heldJob(t, "true");
    server.failNext = Number.POSITIVE_INFINITY;
    const report = await executor.cancel({ runId: launch.runId, graceMs: 100 });
    assert.deepEqual([report.proven, report.evidence], [false, ["tes"]]);
    server.failNext = 0;
  });

  it("finds no task if it ended while the server did not respond", async () => {
    const ended = { id: "t1", state: "COMPLETE", name: "k", tags: {}, log: undefined } as const;
    const answers: Answer<TaskView>[] = [{ kind: "silent", message: "503" }];
    const client = {
      find: async () => ({ kind: "answered", value: [ended] }) as const,
      task: async () => answers.shift() ?? ({ kind: "answered", value: ended } as const),
      cancel: async () => ({ kind: "answered", value: true }) as const,
      create: () => Promise.reject(new Error("nothing is posted")),
    };
    const { runId, folder } = launchOf("true");
    writeFileSync(join(folder, "tes"), "k\nt1\n");
    const clock = { now: () => 0, pause: async () => undefined };
    const options = { settings: DEFAULT_TES, client, clock, log: () => {}, attemptFolders: () => [folder] };
    const report = await tesQueue(options).cancel({ runId, graceMs: 0 });
    assert.deepEqual([report.proven, report.jobs], [true, []]);
  });

  it("needs no proof if no task was posted", async (t) => {
    const launch = launchOf("true");
    const report = await executorAt(t, "http://127.0.0.1:9").executor.cancel({ runId: launch.runId, graceMs: 0 });
    assert.deepEqual(report, { proven: true, evidence: [], jobs: [], left: [] });
    assert.ok(!existsSync(join(launch.folder, "tes")));
  });

  const deviating: readonly (readonly [string, Deviations])[] = [
    ["does not say that it is canceling", { skipsCanceling: true }],
    ["refuses to cancel a task that has ended", { failsToCancelEnded: true }],
    ["accepts requests about tasks that it does not know", { answersForUnknownIds: true }],
  ];
  for (const [what, deviations] of deviating)
    it(`is proven at a server that ${what}`, async (t) => {
      const { server, executor, runId, exit } = await runningJob(t, "sleep 300", deviations);
      const [report] = await Promise.all([executor.cancel({ runId, graceMs: 100 }), exit]);
      assert.deepEqual([report.proven, server.states], [true, ["CANCELED"]]);
      server.forget();
      assert.equal((await executor.cancel({ runId, graceMs: 100 })).proven, true);
    });
});
