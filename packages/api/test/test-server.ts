import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { createServer } from "../src/create-server.ts";
import type { MachineReport } from "@weft/shared/records/machine-record.ts";
import type { Log } from "@weft/engine/log.ts";
import type { ServerOptions } from "../src/server-options.ts";
import { checkAnswer } from "./check-answer.ts";
import type { Answer } from "./check-answer.ts";
import { FakeEngine } from "./fake-engine.ts";
import { FakeFiles } from "./fake-files.ts";

/** One call of the log. */
export interface LogEntry {
  readonly level: Parameters<Log>[0];
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface TestServer {
  readonly engine: FakeEngine;
  readonly address: string;
  readonly port: number;
  readonly log: readonly LogEntry[];
  /** Sends a request and checks what holds for every answer. */
  call(request: string, init?: RequestInit): Promise<Answer>;
  /** Sends bytes as they are and gives all that comes back until the server closes; the request must ask for that. */
  raw(bytes: string): Promise<string>;
  signInAddress(): string | undefined;
  /** Resolves when this line is in the log. */
  logged(message: string): Promise<void>;
  close(): Promise<void>;
}

const UNLIMITED = { perSecond: 0, burst: 0 };

/** The real server on a free port over the fake engine; both go away after the test. */
export async function startTestServer(t: TestContext, options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const log: LogEntry[] = [];
  const lines = new EventEmitter();
  const keep: Log = (level, message, fields) => {
    log.push({ ...fields, level, message });
    lines.emit("line");
  };
  const logged = async (message: string) => {
    while (!log.some((entry) => entry.message === message)) await once(lines, "line");
  };
  const engine = new FakeEngine(await FakeFiles.create());
  t.after(() => engine.files.remove());
  const rates = { reads: UNLIMITED, writes: UNLIMITED };
  const auditFolder = await mkdtemp(join(tmpdir(), "weft-audit-"));
  t.after(() => rm(auditFolder, { recursive: true, force: true }));
  const defaults = { engine, host: "127.0.0.1", port: 0, log: keep, rates, auditFolder, examine };
  const server = await createServer({ ...defaults, ...options });
  t.after(() => server.close());
  const call = (request: string, init?: RequestInit) => callServer(server.address, request, init);
  return {
    engine,
    address: server.address,
    port: server.port,
    log,
    call,
    raw: (bytes) => sendRaw(server.port, bytes),
    logged,
    signInAddress: () => server.signInAddress(),
    close: () => server.close(),
  };
}

/** A machine that was not looked at. */
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

/** The part of a problem that tests look at. */
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
