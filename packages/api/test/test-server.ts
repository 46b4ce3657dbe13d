import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createServer } from "../src/create-server.ts";
import type { MachineReport } from "@weft/shared/records/machine-record.ts";
import type { EngineOptions } from "@weft/engine/app/engine-options.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Engine, EngineEvents } from "@weft/engine/port/engine.ts";
import { caller, endedRun, startRun, untilRun } from "@weft/engine/testing/drive-runs.ts";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { ScriptedExecutor, type ProgramCall } from "@weft/engine/testing/scripted-executor.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import type { ServerOptions } from "../src/server-options.ts";
import { checkAnswer, type Answer } from "./check-answer.ts";
import { writeTestCatalog } from "./test-catalog.ts";

/** One call of the log. */
export interface LogEntry {
  readonly level: Parameters<Log>[0];
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface TestServer {
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  readonly log: readonly LogEntry[];
  /** Starts a run of `imaging-cohort`. Resolves when its only job is running; the test ends the job. */
  readonly startRun: (owner?: string, body?: CreateRun) => Promise<TestRun>;
  /** Sends a request and checks the rules for every answer. */
  call(request: string, init?: RequestInit): Promise<Answer>;
  /** Sends raw bytes and returns the whole answer until the server closes the connection; the request must ask for that. */
  raw(bytes: string): Promise<string>;
  signInAddress(): string | undefined;
  /** Resolves when this line is in the log. */
  logged(message: string): Promise<void>;
  close(): Promise<void>;
}

/** A run with one job, which the test controls. */
export interface TestRun extends Pick<ProgramCall, "write" | "print" | "warn"> {
  readonly id: string;
  /** Absolute path of the job's folder. */
  readonly folder: string;
  /** Ends its job with an exit code; resolves when the run has ended. Files that the job wrote are then outputs. */
  readonly end: (exitCode?: number) => Promise<Run>;
}

/** The only job of a run of `imaging-cohort`. */
export const JOB_ID = "smooth";

const UNLIMITED = { perSecond: 0, burst: 0 };

interface TestOptions extends Partial<ServerOptions> {
  readonly engineOptions?: Partial<EngineOptions>;
  /** Events that the test appends, instead of those of the engine. */
  readonly events?: EngineEvents;
}

/** A test, or the hooks of a file, which run after all tests. */
interface Lifetime {
  readonly after: (close: () => Promise<void>) => void;
}

/** Starts the server on a free port, with an engine whose jobs are scripted; both stop after the test, or after its file. */
export async function startTestServer(t: Lifetime, options: TestOptions = {}): Promise<TestServer> {
  const { engineOptions, events, ...serverOptions } = options;
  const log: LogEntry[] = [];
  const lines = new EventEmitter();
  const record: Log = (level, message, fields) => {
    log.push({ ...fields, level, message });
    lines.emit("line");
  };
  const logged = async (message: string) => {
    while (!log.some((entry) => entry.message === message)) await once(lines, "line");
  };
  const root = temporaryFolder();
  // Closes in the opposite order; hooks would run in this order.
  const closers: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const jobs = new RunningJobs();
  const engine = serverOptions.engine ?? (await openServerEngine(root, { jobs, engineOptions }));
  // A test may replace the method. A test that passes an engine also stops it.
  const stop = engine.stop.bind(engine);
  if (serverOptions.engine === undefined) closers.push(() => stop("cancel"));
  if (events !== undefined) Object.defineProperty(engine, "events", { value: events });
  const rates = { reads: UNLIMITED, writes: UNLIMITED };
  const defaults = { host: "127.0.0.1", port: 0, log: record, rates, auditFolder: join(root, "audit"), examine };
  const server = await createServer({ ...defaults, ...serverOptions, engine });
  closers.push(() => server.close());
  const call = (request: string, init?: RequestInit) => callServer(server.address, request, init);
  return {
    engine,
    address: server.address,
    port: server.port,
    log,
    startRun: (owner = "local", body = { network: "imaging-cohort" }) => jobs.startRun(engine, owner, body),
    call,
    raw: (bytes) => sendRaw(server.port, bytes),
    logged,
    signInAddress: () => server.signInAddress(),
    close: () => server.close(),
  };
}

interface EngineSetting {
  readonly jobs: RunningJobs;
  readonly engineOptions: Partial<EngineOptions> | undefined;
}

async function openServerEngine(root: string, { jobs, engineOptions }: EngineSetting): Promise<Engine> {
  const dataFolders = writeTestCatalog(root);
  const executor = new ScriptedExecutor({ smooth: (call) => jobs.run(call) });
  const defaults = { executor, dataFolders, jobs: 100, container: "none", maxUploadBytes: 16 * 1024 * 1024 } as const;
  return openTestEngine(root, { ...defaults, ...engineOptions });
}

interface RunningJob {
  readonly call: ProgramCall;
  readonly ended: PromiseWithResolvers<number>;
}

/** The jobs of `smooth`, by the id of their run. */
class RunningJobs {
  readonly #jobs = new Map<string, RunningJob>();

  run(call: ProgramCall): Promise<number> {
    const ended = Promise.withResolvers<number>();
    this.#jobs.set(call.launch.runId, { call, ended });
    return ended.promise;
  }

  async startRun(engine: Engine, owner: string, body: CreateRun): Promise<TestRun> {
    // A job with an earlier result would not run.
    const options = { cache: "off", ...body.options } as const;
    const id = await startRun(engine, { ...body, options }, { ...caller, principal: owner });
    await untilRun(engine, id, () => this.#jobs.has(id));
    const { call, ended } = this.#jobs.get(id) ?? assert.fail("it has started");
    const end = (exitCode = 0) => {
      ended.resolve(exitCode);
      return endedRun(engine, id);
    };
    const { write, print, warn, launch } = call;
    return { id, folder: launch.folder, write, print, warn, end };
  }
}

/** The report of a machine that was not examined. */
async function examine(): Promise<MachineReport> {
  const time = "2026-11-21T02:02:14.617Z";
  return { version: "1.0.0", time, platform: "linux x64", state_folder: "/srv/weft", checks: [] };
}

async function callServer(address: string, request: string, init: RequestInit = {}): Promise<Answer> {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(address + path, { redirect: "manual", ...init, method });
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  checkAnswer(method, path, answer);
  return answer;
}

function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

/** A POST of JSON. */
export function json(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
}

/** The part of a problem that tests check. */
export function problemOf(answer: Answer): {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Record<string, unknown>[];
} {
  return JSON.parse(answer.text);
}

/** A WES RunRequest; `files` are attachments by their names. */
export function wesForm(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): RequestInit {
  const body = new FormData();
  const all = { workflow_type: "CWL", workflow_type_version: "v1.2", ...fields };
  for (const [name, text] of Object.entries(all)) body.append(name, text);
  for (const [name, content] of Object.entries(files)) body.append("workflow_attachment", new Blob([content]), name);
  return { body };
}
