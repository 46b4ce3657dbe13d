import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { NOTHING_MEASURED } from "../executor.ts";
import { settleAttempt } from "./settle-attempt.ts";
import type { Deviations } from "./testing/local-tes-server.ts";
import { textOf } from "../testing/launch.ts";
import { endedJob, executorAt, heldJob, launchOf, listings, opened, root } from "./testing/tes-jobs.ts";

describe("a job that is started at a TES server", () => {
  it("runs once, and leaves its streams, its outputs and its exit in its folder", async (t) => {
    const server = await opened(t);
    const { executor } = executorAt(t, server.url);
    const launch = launchOf("echo said; echo told >&2; echo made > made; exit 3");
    const running = executor.submit(launch);
    assert.equal(textOf(await running.exit), "exited 3");
    assert.equal(await running.started, "task-1");
    const read = (name: string) => readFileSync(join(launch.folder, name), "utf8");
    assert.deepEqual(["stdout", "stderr", "out/made", "record"].map(read), ["said\n", "told\n", "made\n", "exit 3\n"]);
    assert.deepEqual(server.violations, []);
    assert.equal(listings(server), 0, "a task that was accepted immediately is not searched for");
  });

  it("names the requested resources", async (t) => {
    const server = await opened(t);
    const launch = launchOf("true", { size: { cores: 1.5, ramMib: 1024, seconds: 60, diskMib: 2048 } });
    await executorAt(t, server.url).executor.submit(launch).exit;
    const { runId } = launch;
    const [{ resources, tags } = {}] = server.posted;
    assert.deepEqual(resources, { cpu_cores: 2, ram_gb: 1.074, disk_gb: 2.148 });
    assert.deepEqual(tags, { "weft.attempt": `${runId}/j@1`, "weft.run": runId, "weft.job": "j" });
  });

  const ends: Readonly<Record<string, readonly [Deviations, string, string]>> = {
    "ends as its program did if the server withholds the outputs of failed tasks": [
      { ignoresIgnoreError: true },
      "echo why >&2; exit 4",
      "exited 4",
    ],
    "is lost if a server reports COMPLETE without an exit code": [{ hasNoLogs: true }, "true", "lost BACKEND_LOST"],
    "is lost if a server reports EXECUTOR_ERROR without an exit code": [
      { hasNoLogs: true, ignoresIgnoreError: true },
      "exit 5",
      "lost BACKEND_LOST",
    ],
  };
  for (const [what, [deviations, command, expected]] of Object.entries(ends))
    it(what, async (t) => {
      const { launch, exit } = await endedJob(t, command, deviations);
      assert.equal(textOf(exit), expected);
      if (command.startsWith("echo")) assert.equal(readFileSync(launch.stderr, "utf8"), "why\n");
    });

  it("does not mistake messages in the server's log for output", async (t) => {
    const server = await opened(t, { ignoresIgnoreError: true });
    const launch = launchOf("echo half; exit 4");
    const stdout = join(launch.workdir, "result.txt");
    assert.equal(textOf(await executorAt(t, server.url).executor.submit({ ...launch, stdout }).exit), "exited 4");
    assert.deepEqual([existsSync(stdout), existsSync(launch.stderr)], [false, true]);
  });
});

describe("a job whose task put links into its folder", () => {
  const outside = () => {
    const folder = mkdtempSync(join(root, "outside-"));
    writeFileSync(join(folder, "precious"), "precious");
    return folder;
  };

  it("has its streams and its exit written to new files", async (t) => {
    const server = await opened(t, { ignoresIgnoreError: true });
    const launch = launchOf("echo why >&2; exit 4");
    const elsewhere = outside();
    symlinkSync(join(elsewhere, "created"), launch.stdout);
    symlinkSync(join(elsewhere, "precious"), launch.stderr);
    symlinkSync(join(elsewhere, "precious"), join(launch.folder, "record"));
    assert.equal(textOf(await executorAt(t, server.url).executor.submit(launch).exit), "exited 4");
    assert.deepEqual(readdirSync(elsewhere), ["precious"]);
    assert.equal(readFileSync(join(elsewhere, "precious"), "utf8"), "precious");
    for (const name of ["stdout", "stderr", "record"])
      assert.ok(lstatSync(join(launch.folder, name)).isFile(), `${name} is a file`);
  });

  it("is lost if a link arrives instead of its output folder", async () => {
    const launch = launchOf("true");
    symlinkSync(outside(), join(launch.folder, "tes-out"));
    const clock = { now: () => 0, pause: async () => undefined };
    const { signal } = new AbortController();
    const exit = { kind: "exited", exitCode: 1, used: NOTHING_MEASURED } as const;
    const settled = await settleAttempt(launch, { exit, log: undefined, clock, latencyMs: 0, signal });
    assert.equal(textOf(settled), "lost BACKEND_LOST");
    assert.equal(lstatSync(launch.workdir, { throwIfNoEntry: false }), undefined);
  });
});

describe("a job of an earlier server", () => {
  it("is reattached by its ID and reports its end", async (t) => {
    const { server, launch, executor: first } = await heldJob(t, "echo said");
    await first.close();
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.look(launch), "reattach");
    const { exit } = executor.reattach(launch);
    server.release();
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(readFileSync(launch.stdout, "utf8"), "said\n");
    assert.equal(server.posted.length, 1);
  });

  it("is reattached by its key if its ID never arrived", async (t) => {
    const { server, launch, executor: first } = await heldJob(t, "true");
    await first.close();
    writeFileSync(join(launch.folder, "tes"), `${launch.runId}/j@1\n`);
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.look(launch), "reattach");
    const { exit } = executor.reattach(launch);
    server.release();
    assert.equal(textOf(await exit), "exited 0");
  });

  it("is reattached by its record although the server has forgotten it", async (t) => {
    const { server, launch } = await endedJob(t, "exit 6");
    server.forget();
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.look(launch), "reattach");
    assert.equal(textOf(await executor.reattach(launch).exit), "exited 6");
  });

  it("was never started if the server does not know its key", async (t) => {
    const server = await opened(t);
    const launch = launchOf("true");
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.look(launch), "unclaimed");
    writeFileSync(join(launch.folder, "tes"), `${launch.runId}/j@1\n`);
    assert.equal(await executor.look(launch), "unclaimed");
  });

  it("counts as running while the server does not respond", async (t) => {
    const launch = launchOf("true");
    writeFileSync(join(launch.folder, "tes"), `${launch.runId}/j@1\n`);
    const { executor } = executorAt(t, "http://127.0.0.1:9");
    assert.equal(await executor.look(launch), "reattach");
  });
});
