import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Launch } from "../executor.ts";
import type { TesSettings } from "./tes-settings.ts";
import { textOf } from "../testing/launch.ts";
import { executorAt, launchOf, listings, opened, root } from "./testing/tes-jobs.ts";
import { until } from "../../testing/until.ts";

describe("a job that is posted", () => {
  it("is not posted again if the response was lost, and is found by its name if the server drops tags", async (t) => {
    const server = await opened(t, { dropsTags: true });
    server.loseNext = 1;
    const { executor, logged } = executorAt(t, server.url);
    assert.equal(textOf(await executor.submit(launchOf("true")).exit), "exited 0");
    assert.equal(server.posted.length, 1);
    // Each poll asks by tag and then by name. The number of polls depends on the machine.
    assert.ok(listings(server) >= 4 && listings(server) % 2 === 0, `${listings(server)} listings`);
    assert.deepEqual(logged, ["the TES server did not confirm a job; asking for it"]);
  });

  it("is posted again if the server reports that it does not have it", async (t) => {
    const server = await opened(t);
    server.failNext = 3;
    const launch = launchOf("true");
    assert.equal(textOf(await executorAt(t, server.url).executor.submit(launch).exit), "exited 0");
    const order = server.requests.map((request) => request.slice(0, 11)).filter((start) => start !== "GET /tasks/");
    // One post, two questions that fail, the question by tag and by name, twice, and the post that counts.
    const looks = ["GET /tasks?", "GET /tasks?"];
    assert.deepEqual(order.slice(0, 8), ["POST /tasks", ...looks, ...looks, ...looks, "POST /tasks"]);
    assert.equal(server.posted.length, 1);
  });

  it("is canceled even if its delayed request arrives, before or after the second one", async (t) => {
    const server = await opened(t);
    server.delayNext = 1;
    server.isHeld = true;
    const { executor, logged } = executorAt(t, server.url);
    const { exit } = executor.submit(launchOf("echo once"));
    await until(() => server.posted.length > 0);
    server.deliver();
    // The executor logs the cancellation before it requests it.
    await until(() => server.states.includes("CANCELED"));
    server.release();
    assert.equal(textOf(await exit), "exited 0");
    assert.deepEqual(server.states.toSorted(), ["CANCELED", "COMPLETE"]);
    assert.ok(logged.includes("the TES server runs a task twice; the second one is canceled"));
  });

  const storage = { "/elsewhere": "file:///x" };
  const refused: readonly (readonly [string, Partial<Launch>, Partial<TesSettings>, RegExp])[] = [
    ["has no program", { argv: [] }, {}, /names no program/],
    ["is in a folder that workers cannot see", {}, { storage }, /is in no folder of tes\.storage/],
  ];
  for (const [what, launch, settings, message] of refused)
    it(`is refused here if it ${what}`, async (t) => {
      const server = await opened(t);
      const ended = await executorAt(t, server.url, settings).executor.submit(launchOf("true", launch)).exit;
      assert.equal(ended.kind, "rejected");
      assert.match(JSON.stringify(ended), message);
      assert.equal(server.posted.length, 0);
    });

  it("is refused with the server's message if the server refuses it", async (t) => {
    const server = await opened(t);
    const launch = launchOf("true");
    assert.ok(launch.task !== undefined);
    const task = { ...launch.task, image: "" };
    const ended = await executorAt(t, server.url).executor.submit({ ...launch, task }).exit;
    assert.match(JSON.stringify(ended), /POST \/tasks: 400/);
  });

  it("is posted with the current token in the file", async (t) => {
    const server = await opened(t);
    const tokenFile = join(root, "token");
    writeFileSync(tokenFile, "secret\n");
    await executorAt(t, server.url, { tokenFile }).executor.submit(launchOf("true")).exit;
    assert.deepEqual([...server.tokens], ["Bearer secret"]);
  });
});
