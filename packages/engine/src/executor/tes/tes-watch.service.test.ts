import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { executorAt, heldJob, launchOf, opened, textOf } from "./testing/tes-jobs.ts";
import { until } from "../../testing/until.ts";

describe("a job that a TES server has", () => {
  it("continues while the server does not answer, and says so", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const { executor, logged } = executorAt(t, server.url);
    const launch = await launchOf("true");
    const { exit } = executor.submit(launch);
    await until(() => server.posted.length > 0);
    server.failNext = 5;
    await until(() => server.failNext === 0);
    await until(() => logged.includes("the TES server responds again"));
    assert.equal(executor.whyWaiting(launch), "TES task task-1 is QUEUED");
    server.release();
    assert.equal(textOf(await exit), "exited 0");
  });

  it("is lost after the server has repeatedly not found it", async (t) => {
    const { server, exit } = await heldJob(t, "true");
    server.forget();
    const ended = await exit;
    assert.equal(textOf(ended), "lost BACKEND_LOST");
    assert.match(JSON.stringify(ended), /no longer knows the job's task task-1/);
  });

  it("reports missing inputs with the message of the server", async (t) => {
    const server = await opened(t);
    const launch = await launchOf("true");
    server.onRun = () => ({ state: "SYSTEM_ERROR", system: ["no such volume"] });
    const ended = await executorAt(t, server.url).executor.submit(launch).exit;
    assert.match(
      JSON.stringify(ended),
      /the TES server could not run the job \(task task-1: SYSTEM_ERROR, no such volume\)/,
    );
  });
});

describe("a server that answers 200 for tasks that it does not know", () => {
  it("has lost a job nevertheless", async (t) => {
    const server = await opened(t, { answersForUnknownIds: true });
    server.isHeld = true;
    const { executor, waiting } = executorAt(t, server.url);
    const { exit } = executor.submit(await launchOf("true"));
    await waiting;
    server.forget();
    assert.equal(textOf(await exit), "lost BACKEND_LOST");
  });
});
