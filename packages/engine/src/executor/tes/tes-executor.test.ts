import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { TestContext } from "node:test";
import { attemptFoldersOf } from "../../run/attempt-folders.ts";
import type { JobExit, Launch } from "../executor.ts";
import { writeNote } from "./task-note.ts";
import { TesClient } from "./tes-client.ts";
import { TesExecutor } from "./tes-executor.ts";
import { DEFAULT_TES } from "./tes-settings.ts";
import type { TesSettings } from "./tes-settings.ts";
import { LocalTesServer } from "./testing/local-tes-server.ts";
import type { Deviations } from "./testing/local-tes-server.ts";

const root = mkdtempSync(join(tmpdir(), "weft-tes-"));
after(() => rmSync(root, { recursive: true }));
const FASTER = 50;

async function opened(t: TestContext, deviations: Deviations = {}): Promise<LocalTesServer> {
  const server = await LocalTesServer.open();
  Object.assign(server.deviations, deviations);
  t.after(() => server.close());
  return server;
}

function executorAt(t: TestContext, url: string, more: Partial<TesSettings> = {}) {
  const told: string[] = [];
  const settings = { ...DEFAULT_TES, url, pollMs: 500, latencyMs: 1000, ...more };
  const { promise: waiting, resolve: waits } = Promise.withResolvers<void>();
  const executor = new TesExecutor({
    settings,
    client: new TesClient(settings),
    clock: {
      now: () => performance.now() * FASTER,
      pause: (ms, signal) =>
        new Promise((resolve, reject) => {
          waits();
          setTimeout(() => (signal.aborted ? reject(signal.reason) : resolve(undefined)), ms / FASTER);
        }),
    },
    log: (_level, message) => told.push(message),
    attemptFolders: (place) => attemptFoldersOf(root, place),
  });
  t.after(() => executor.close());
  return { executor, told, waiting };
}

let count = 0;
async function launchOf(command: string, more: Partial<Launch> = {}): Promise<Launch> {
  const runId = `run${++count}`;
  const folder = join(root, runId, "jobs", "j@1");
  const [out, tmp] = [join(folder, "out"), join(folder, "tmp")];
  for (const path of [out, tmp]) await mkdir(path, { recursive: true });
  return {
    ...{ runId, jobId: "j", attempt: 1, backend: "tes", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ folder, workdir: out, argv: ["sh", "-c", command], env: {} },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    task: {
      ...{ image: "debian:12", workdir: "/weft/out", tmpdir: "/tmp", stdin: undefined },
      mounts: [
        { source: out, target: "/weft/out", writable: true },
        { source: tmp, target: "/tmp", writable: true },
      ],
    },
    ...more,
  };
}

const textOf = (exit: JobExit) =>
  [exit.kind, ...("exitCode" in exit ? [exit.exitCode] : []), ...("cause" in exit ? [exit.cause?.code] : [])].join(" ");
const listings = ({ requests }: LocalTesServer) =>
  requests.filter((request) => request.startsWith("GET /tasks?")).length;
const attemptOf = ({ runId, jobId, attempt, folder, backend }: Launch) => ({ runId, jobId, attempt, folder, backend });

describe("a job that is started at a TES server", () => {
  it("runs once, and leaves its streams, its outputs and its exit in its folder", async (t) => {
    const server = await opened(t);
    const { executor } = executorAt(t, server.url);
    const launch = await launchOf("echo said; echo told >&2; echo made > made; exit 3");
    const running = executor.start(launch);
    assert.equal(textOf(await running.exit), "exited 3");
    assert.equal(await running.started, "task-1");
    const read = (name: string) => readFileSync(join(launch.folder, name), "utf8");
    assert.deepEqual(["stdout", "stderr", "out/made", "record"].map(read), ["said\n", "told\n", "made\n", "exit 3\n"]);
    assert.deepEqual(server.violations, []);
    assert.equal(listings(server), 0, "one that was accepted at once is not looked for");
  });

  it("says what it asks for", async (t) => {
    const server = await opened(t);
    const { executor } = executorAt(t, server.url);
    const size = { cores: 1.5, ramMib: 1024, seconds: 60, diskMib: 2048 };
    await executor.start(await launchOf("true", { size })).exit;
    assert.deepEqual(server.posted[0]?.resources, { cpu_cores: 2, ram_gb: 1.074, disk_gb: 2.148 });
    assert.deepEqual(server.posted[0]?.tags, {
      "weft.attempt": `run${count}/j@1`,
      "weft.run": `run${count}`,
      "weft.job": "j",
    });
  });

  const ends: readonly (readonly [string, Deviations, string, string])[] = [
    [
      "ends as its program did where failed tasks keep their outputs back",
      { ignoresIgnoreError: true },
      "echo why >&2; exit 4",
      "exited 4",
    ],
    ["is lost where a server that says COMPLETE tells no exit code", { hasNoLogs: true }, "true", "lost BACKEND_LOST"],
    [
      "is lost where a server that says EXECUTOR_ERROR tells no exit code",
      { hasNoLogs: true, ignoresIgnoreError: true },
      "exit 5",
      "lost BACKEND_LOST",
    ],
  ];
  for (const [what, deviations, command, expected] of ends)
    it(what, async (t) => {
      const server = await opened(t, deviations);
      const launch = await launchOf(command);
      assert.equal(textOf(await executorAt(t, server.url).executor.start(launch).exit), expected);
      if (command.startsWith("echo")) assert.equal(readFileSync(launch.stderr, "utf8"), "why\n");
    });

  it("has no output made of what the server's log kept of it", async (t) => {
    const server = await opened(t, { ignoresIgnoreError: true });
    const launch = await launchOf("echo half; exit 4");
    const stdout = join(launch.workdir, "result.txt");
    assert.equal(textOf(await executorAt(t, server.url).executor.start({ ...launch, stdout }).exit), "exited 4");
    assert.deepEqual([existsSync(stdout), existsSync(launch.stderr)], [false, true]);
  });

  it("is not posted again where the answer was lost, and is found by its name where tags are dropped", async (t) => {
    const server = await opened(t, { dropsTags: true });
    server.loseNext = 1;
    const { executor, told } = executorAt(t, server.url);
    assert.equal(textOf(await executor.start(await launchOf("true")).exit), "exited 0");
    assert.equal(server.posted.length, 1);
    assert.equal(listings(server), 2);
    assert.deepEqual(told, ["the TES server did not say that it has a task; it is asked for it"]);
  });

  it("is posted again where the server, asked for it, does not have it", async (t) => {
    const server = await opened(t);
    server.failNext = 3;
    const launch = await launchOf("true");
    assert.equal(textOf(await executorAt(t, server.url).executor.start(launch).exit), "exited 0");
    const order = server.requests
      .filter((request) => !request.startsWith("GET /tasks/"))
      .map((request) => request.slice(0, 11));
    // One post, two questions that fail, the question by tag and by name, and the post that counts.
    assert.deepEqual(order, ["POST /tasks", "GET /tasks?", "GET /tasks?", "GET /tasks?", "GET /tasks?", "POST /tasks"]);
    assert.equal(server.posted.length, 1);
  });

  it("goes on while the server does not answer, and waits in words", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const { executor, told } = executorAt(t, server.url);
    const launch = await launchOf("true");
    const { exit } = executor.start(launch);
    while (server.posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    server.failNext = 5;
    while (server.failNext > 0) await new Promise((resolve) => setImmediate(resolve));
    while (!told.includes("the TES server answers again")) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(executor.whyWaiting(launch), "TES task task-1 is QUEUED");
    server.release();
    assert.equal(textOf(await exit), "exited 0");
  });

  it("is lost when the server, again and again, does not know it any more", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const { executor, waiting } = executorAt(t, server.url);
    const { exit } = executor.start(await launchOf("true"));
    await waiting;
    server.forget();
    const ended = await exit;
    assert.equal(textOf(ended), "lost BACKEND_LOST");
    assert.match(JSON.stringify(ended), /does not know the job's task task-1 any more/);
  });

  it("is told in the server's words where inputs do not come", async (t) => {
    const server = await opened(t);
    const launch = await launchOf("true");
    server.onRun = () => ({ state: "SYSTEM_ERROR", system: ["no such volume"] });
    const ended = await executorAt(t, server.url).executor.start(launch).exit;
    assert.match(
      JSON.stringify(ended),
      /the TES server could not run the job \(task task-1: SYSTEM_ERROR, no such volume\)/,
    );
  });

  const refused: readonly (readonly [string, Partial<Launch>, Partial<TesSettings>, RegExp])[] = [
    ["has no program", { argv: [] }, {}, /names no program/],
    [
      "lies where workers see nothing",
      {},
      { storage: { "/elsewhere": "file:///x" } },
      /lies in no folder of tes\.storage/,
    ],
  ];
  for (const [what, launch, settings, message] of refused)
    it(`is refused here where it ${what}`, async (t) => {
      const server = await opened(t);
      const ended = await executorAt(t, server.url, settings).executor.start(await launchOf("true", launch)).exit;
      assert.equal(ended.kind, "rejected");
      assert.match(JSON.stringify(ended), message);
      assert.equal(server.posted.length, 0);
    });

  it("is refused in the server's words where the server does", async (t) => {
    const server = await opened(t);
    const launch = await launchOf("true");
    const image = "";
    const task = launch.task === undefined ? undefined : { ...launch.task, image };
    const ended = await executorAt(t, server.url).executor.start({ ...launch, ...(task && { task }) }).exit;
    assert.match(JSON.stringify(ended), /POST \/tasks: 400/);
  });

  it("goes there with the token that the file holds at that moment", async (t) => {
    const server = await opened(t);
    const tokenFile = join(root, "token");
    writeFileSync(tokenFile, "secret\n");
    await executorAt(t, server.url, { tokenFile }).executor.start(await launchOf("true")).exit;
    assert.deepEqual([...server.tokens], ["Bearer secret"]);
  });
});

describe("a job of an earlier server", () => {
  it("is adopted by its id, and its end is found out", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const launch = await launchOf("echo said");
    const first = executorAt(t, server.url);
    first.executor.start(launch);
    await first.waiting;
    await first.executor.close();
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.takeUp(attemptOf(launch)), "adopt");
    const { exit } = executor.adopt(launch);
    server.release();
    assert.equal(textOf(await exit), "exited 0");
    assert.equal(readFileSync(launch.stdout, "utf8"), "said\n");
    assert.equal(server.posted.length, 1);
  });

  it("is adopted by its key where its id was never told", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const launch = await launchOf("true");
    const first = executorAt(t, server.url);
    first.executor.start(launch);
    await first.waiting;
    await first.executor.close();
    writeNote(launch.folder, { key: `${launch.runId}/j@1`, id: undefined });
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.takeUp(attemptOf(launch)), "adopt");
    const { exit } = executor.adopt(launch);
    server.release();
    assert.equal(textOf(await exit), "exited 0");
  });

  it("is adopted by its record though the server knows nothing any more", async (t) => {
    const server = await opened(t);
    const launch = await launchOf("exit 6");
    await executorAt(t, server.url).executor.start(launch).exit;
    server.forget();
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.takeUp(attemptOf(launch)), "adopt");
    assert.equal(textOf(await executor.adopt(launch).exit), "exited 6");
  });

  it("was begun by nobody where the server does not have its key", async (t) => {
    const server = await opened(t);
    const launch = await launchOf("true");
    const { executor } = executorAt(t, server.url);
    assert.equal(await executor.takeUp(attemptOf(launch)), "unclaimed");
    writeNote(launch.folder, { key: `${launch.runId}/j@1`, id: undefined });
    assert.equal(await executor.takeUp(attemptOf(launch)), "unclaimed");
  });

  it("is taken to run where the server does not answer", async (t) => {
    const launch = await launchOf("true");
    writeNote(launch.folder, { key: `${launch.runId}/j@1`, id: undefined });
    const { executor } = executorAt(t, "http://127.0.0.1:9");
    assert.equal(await executor.takeUp(attemptOf(launch)), "adopt");
  });
});

describe("ending jobs at a TES server", () => {
  it("proves by the server's word that a program and its children are gone", async (t) => {
    const server = await opened(t);
    const { executor } = executorAt(t, server.url);
    const launch = await launchOf("sleep 300 & sleep 300");
    const running = executor.start(launch);
    await running.started;
    const report = await executor.kill({ runId: launch.runId, graceMs: 100 });
    assert.deepEqual([report.proven, report.evidence, report.left], [true, ["tes"], []]);
    assert.deepEqual(
      report.jobs.map(({ jobId, attempt, found }) => [jobId, attempt, found]),
      [["j", 1, 1]],
    );
    assert.deepEqual(server.states, ["CANCELED"]);
    assert.equal(textOf(await running.exit), "lost");
  });

  it("ends one attempt of a run that an earlier server posted, by its folder alone", async (t) => {
    const server = await opened(t, { failsToCancelEnded: true });
    server.isHeld = true;
    const launch = await launchOf("true");
    const first = executorAt(t, server.url);
    first.executor.start(launch);
    await first.waiting;
    await first.executor.close();
    const { executor } = executorAt(t, server.url);
    const target = { runId: launch.runId, job: { jobId: "j", attempt: 1 }, graceMs: 100 };
    const report = await executor.kill(target);
    assert.deepEqual([report.proven, server.states], [true, ["CANCELED"]]);
    const again = await executor.kill(target);
    assert.deepEqual([again.proven, again.jobs], [true, []]);
  });

  it("ends every task of a key, should there be two", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const { executor, waiting } = executorAt(t, server.url);
    const launch = await launchOf("true");
    executor.start(launch);
    await waiting;
    const [task] = server.posted;
    assert.ok(task !== undefined);
    await fetch(`${server.url}/tasks`, { method: "POST", body: JSON.stringify(task) });
    const report = await executor.kill({ runId: launch.runId, graceMs: 100 });
    assert.deepEqual([report.proven, server.states], [true, ["CANCELED", "CANCELED"]]);
  });

  it("proves nothing while the server does not answer", async (t) => {
    const server = await opened(t);
    server.isHeld = true;
    const { executor, waiting } = executorAt(t, server.url);
    const launch = await launchOf("true");
    executor.start(launch);
    await waiting;
    server.failNext = Number.POSITIVE_INFINITY;
    const report = await executor.kill({ runId: launch.runId, graceMs: 100 });
    assert.deepEqual([report.proven, report.evidence], [false, ["tes"]]);
    server.failNext = 0;
  });

  it("has nothing to prove where nothing was posted", async (t) => {
    const launch = await launchOf("true");
    const report = await executorAt(t, "http://127.0.0.1:9").executor.kill({ runId: launch.runId, graceMs: 0 });
    assert.deepEqual(report, { proven: true, evidence: [], jobs: [], left: [] });
    assert.ok(!existsSync(join(launch.folder, "tes")));
  });
});
