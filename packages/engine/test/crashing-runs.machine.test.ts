import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../src/port/engine.ts";
import type { NewEvent } from "../src/journal/journal-event.ts";
import { openLog } from "../src/app/open-log.ts";
import type { EngineOptions } from "../src/app/engine-options.ts";
import { messageSchema } from "@weft/shared/records/subscription-record.ts";
import { allowHosts, WEBHOOKS } from "../src/files/remote/http-policy.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";
import { WebhookReceiver } from "../src/testing/webhook-receiver.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

/** Waits, in one process, until something is written into a named pipe. */
const WAIT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cat
inputs: { gate: { type: string, inputBinding: {} } }
outputs: {}
`;

class Server {
  readonly root: string;
  readonly #more: Partial<EngineOptions>;
  #engine: Engine | undefined;

  constructor(root: string, more: Partial<EngineOptions>) {
    this.root = root;
    this.#more = more;
  }

  static async open(t: TestContext, more: Partial<EngineOptions> = {}): Promise<Server> {
    const server = new Server(temporaryFolder(toolFiles({ wait: WAIT })), more);
    execFileSync("mkfifo", ["gate", "never"], { cwd: server.root });
    t.after(() => server.#engine?.stop("cancel"));
    await server.start();
    return server;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error("the server is not open");
    return this.#engine;
  }

  async start(more: Partial<EngineOptions> = {}): Promise<void> {
    this.#engine = await openTestEngine(this.root, { ...this.#more, ...more });
  }

  /** A run whose job runs until its gate is opened. */
  async waiting(gate = "never"): Promise<string> {
    const runId = await startRun(this.engine, { tool: "wait", inputs: { gate: join(this.root, gate) } });
    await untilRun(this.engine, runId, ({ job_counts }) => job_counts["RUNNING"] === 1);
    return runId;
  }

  async openGate(): Promise<void> {
    await writeFile(join(this.root, "gate"), "");
  }

  /** Stops, adds to the log the events of servers that crashed immediately, and starts again. */
  async restart(lives: readonly (readonly NewEvent[])[] = [], more: Partial<EngineOptions> = {}): Promise<void> {
    await this.crash(lives);
    await this.start(more);
  }

  async crash(lives: readonly (readonly NewEvent[])[]): Promise<void> {
    await this.#engine?.stop("detach");
    this.#engine = undefined;
    const log = await openLog(join(this.root, "state", "weft.db"), "fast");
    for (const resumed of lives) await log.append([started, ...resumed]);
    await log.close();
  }
}

const started: NewEvent = { type: "server.started", run_id: null, actor: "engine", data: { version: "test", pid: 1 } };
const resumed = (runId: string, alone = false): NewEvent => ({
  ...{ type: "run.reattached", run_id: runId, actor: "engine", data: { alone } },
});
/** The events of three servers that crashed with this run. */
const thrice = (runId: string) => [[resumed(runId)], [resumed(runId)], [resumed(runId, true)]];

/** Processes with the id of the run in their environment. */
async function processesOf(runId: string): Promise<readonly string[]> {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const surroundings = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (surroundings.includes(runId)) found.push(pid);
  }
  return found;
}

describe("a run that crashes servers", () => {
  it("is paused with a reason after the third crash, and its jobs continue regardless of the server", async (t) => {
    const server = await Server.open(t);
    const runId = await server.waiting();
    const clean = await server.waiting();
    const processes = await processesOf(runId);
    assert.notEqual(processes.length, 0);
    await server.restart(thrice(runId));
    const run = await untilRun(server.engine, runId, ({ state }) => state === "PAUSED");
    assert.match(run.state_reason?.message ?? "", /crashed 3 times within ten minutes while this run/);
    assert.match(run.state_reason?.hint ?? "", /then resume the run or abort it/);
    // The other run continues.
    await untilRun(server.engine, clean, ({ job_counts }) => job_counts["RUNNING"] === 1);
    await server.restart();
    await untilRun(server.engine, clean, ({ job_counts }) => job_counts["RUNNING"] === 1);
    assert.equal(server.engine.runs.get(caller, runId).state, "PAUSED");
    assert.deepEqual(await processesOf(runId), processes);
    const aborted = await server.engine.runs.abort(caller, runId, 30_000);
    assert.equal(aborted.state, "CANCELED");
    assert.deepEqual(await processesOf(runId), []);
  });

  it("is announced once to subscribers to failures, and not if a person pauses it", async (t) => {
    const receiver = await WebhookReceiver.start();
    t.after(receiver.close);
    const webhooks = { policy: allowHosts(["127.0.0.1"], WEBHOOKS), connectTimeoutMs: 5000, environment: {} };
    const notifications = { webhooks: { ...webhooks, idleTimeoutMs: 5000 }, mail: undefined, delaysMs: [20] };
    const server = await Server.open(t, { notifications, actAs: () => ({ caller, role: "runner" }) });
    const body = { channel: "webhook", name: "Bot", scope: { owner: "ann" }, url: receiver.url } as const;
    const { subscription_id: id } = await ask(server.engine, "POST /api/subscriptions", {
      ...{ caller, body: { ...body, triggers: ["failure"] } },
    });
    const [held, paused] = [await server.waiting(), await server.waiting()];
    await runsOf(server.engine).pause(caller, paused);
    await server.restart(thrice(held));
    await receiver.until(({ length }) => length > 0);
    await server.restart();
    const { deliveries } = await ask(server.engine, "GET /api/subscriptions/{subscription_id}/deliveries", {
      caller,
      params: { subscription_id: id },
    });
    assert.deepEqual(
      deliveries.map(({ run_id: runId, trigger }) => [runId, trigger]),
      [[held, "paused"]],
    );
    const { type, data } = messageSchema.parse(JSON.parse(receiver.received[0]?.body ?? ""));
    assert.deepEqual([type, data.run_id, data.state], ["run.paused", held, "PAUSED"]);
  });

  it("continues when it is resumed, with the jobs that ended meanwhile", async (t) => {
    const server = await Server.open(t);
    const runId = await server.waiting("gate");
    await server.restart(thrice(runId));
    await untilRun(server.engine, runId, ({ state }) => state === "PAUSED");
    await server.openGate();
    await runsOf(server.engine).resume(caller, runId);
    const run = await endedRun(server.engine, runId);
    assert.equal(run.state, "COMPLETE");
    const { events } = server.engine.events.page(caller, { pageSize: 1000 });
    assert.equal(events.filter(({ type }) => type === "job.started").length, 1);
  });

  it("ends with its processes if the server stops and aborts all runs, or if its abort crashes the server", async (t) => {
    const server = await Server.open(t);
    const [held, aborted] = [await server.waiting(), await server.waiting()];
    const canceling = { type: "run.canceling", run_id: aborted, actor: "ann", data: { outstanding_jobs: [] } } as const;
    const both = [resumed(held), resumed(aborted)];
    await server.restart([[...both, canceling], both, [resumed(held, true)], [resumed(aborted, true)]]);
    await untilRun(server.engine, held, ({ state }) => state === "PAUSED");
    const run = await endedRun(server.engine, aborted);
    assert.equal(run.state, "SYSTEM_ERROR");
    assert.deepEqual(await processesOf(aborted), []);
    await server.engine.stop("cancel");
    assert.deepEqual(await processesOf(held), []);
    await server.start();
    assert.equal(server.engine.runs.get(caller, held).state, "CANCELED");
  });

  it("is resumed after two crashes, and clean stops do not count", async (t) => {
    const server = await Server.open(t);
    const runId = await server.waiting("gate");
    await server.restart([[resumed(runId)], [resumed(runId)]]);
    await server.restart();
    await server.restart();
    await server.openGate();
    assert.equal((await endedRun(server.engine, runId)).state, "COMPLETE");
  });

  it("is watched before the next such run is resumed", async (t) => {
    const server = await Server.open(t);
    const [one, other] = [await server.waiting("gate"), await server.waiting()];
    const both = [resumed(one), resumed(other)];
    await server.restart([both, both], { probationMs: 60_000 });
    await server.openGate();
    assert.equal((await endedRun(server.engine, one)).state, "COMPLETE");
    const events = () => server.engine.events.page(caller, { pageSize: 1000 }).events;
    const alone = () => events().filter(({ type, data }) => type === "run.reattached" && data.alone);
    await untilRun(server.engine, other, () => alone().length === 2);
    assert.deepEqual(
      alone().map(({ run_id }) => run_id),
      [one, other],
    );
    const progress = events().find(({ run_id, type }) => run_id === one && type === "job.ended");
    assert.ok((alone()[1]?.seq ?? 0) > (progress?.seq ?? Infinity), "the other waits until the first got further");
  });
});

describe("a start after earlier servers", () => {
  it("succeeds even if a run's inputs cannot be restored, and ends that run with a reason", async (t) => {
    const server = await Server.open(t);
    const [broken, whole] = [await server.waiting(), await server.waiting("gate")];
    await server.crash([]);
    const db = new DatabaseSync(join(server.root, "state", "weft.db"));
    const deep = `{"gate":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    db.prepare("UPDATE blobs SET text = ? WHERE digest = (SELECT inputs FROM runs WHERE run_id = ?)").run(deep, broken);
    db.close();
    await server.start();
    const run = await endedRun(server.engine, broken);
    assert.equal(run.state, "SYSTEM_ERROR");
    assert.deepEqual(await processesOf(broken), []);
    await server.openGate();
    assert.equal((await endedRun(server.engine, whole)).state, "COMPLETE");
  });
});
