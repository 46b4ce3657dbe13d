import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textOf } from "../testing/launch.ts";
import { executorAt, heldJob, launchOf, opened } from "./testing/tes-jobs.ts";
import { until } from "../../testing/until.ts";

describe("a job that a TES server has", () => {
  it("continues while the server does not answer, and says so", async (t) => {
    const { server, executor, logged, launch, exit } = await heldJob(t, "true");
    server.failNext = 5;
    await until(() => server.failNext === 0);
    await until(() => logged.includes("the TES server responds again"));
    assert.equal(executor.whyWaiting(launch), "TES task task-1 is QUEUED");
    server.release();
    assert.equal(textOf(await exit), "exited 0");
  });

  for (const [status, deviations] of [
    [404, {}],
    [200, { answersForUnknownIds: true }],
  ] as const)
    it(`is lost after the server has repeatedly not found it, and answered ${status}`, async (t) => {
      const { server, exit } = await heldJob(t, "true", deviations);
      server.forget();
      const ended = await exit;
      assert.equal(textOf(ended), "lost BACKEND_LOST");
      assert.match(JSON.stringify(ended), /no longer knows the job's task task-1/);
    });

  it("reports missing inputs with the message of the server", async (t) => {
    const server = await opened(t);
    const launch = launchOf("true");
    server.onRun = () => ({ state: "SYSTEM_ERROR", system: ["no such volume"] });
    const ended = await executorAt(t, server.url).executor.submit(launch).exit;
    assert.match(
      JSON.stringify(ended),
      /the TES server could not run the job \(task task-1: SYSTEM_ERROR, no such volume\)/,
    );
  });
});
