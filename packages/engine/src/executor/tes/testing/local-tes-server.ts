import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { z } from "zod";
import { RunningTask } from "./running-task.ts";
import {
  canceledSchema,
  createdSchema,
  listQuerySchema,
  newTaskSchema,
  pageSchema,
  taskSchema,
  viewSchema,
  type NewTask,
  type TaskLogJson,
} from "./tes-schemas.ts";

/** Known deviations of servers from the specification or from reasonable expectations. */
export interface Deviations {
  /** Status of the response to a new task, instead of 200. */
  createdStatus?: number;
  hasSlashesInIds?: boolean;
  /** Lists everything, whatever the request selects. */
  ignoresFilters?: boolean;
  dropsTags?: boolean;
  hasNoLogs?: boolean;
  /** Ends a task with EXECUTOR_ERROR and withholds its outputs, as if `ignore_error` were not set. */
  ignoresIgnoreError?: boolean;
  /** Answers 500 to canceling an ended task. */
  failsToCancelEnded?: boolean;
  /** Reports RUNNING for a task that it is ending. */
  skipsCanceling?: boolean;
  /** Answers 200 and an empty object for unknown tasks. */
  answersForUnknownIds?: boolean;
  /** Page size, whatever the request says. */
  pageSize?: number;
}

interface KeptTask {
  readonly id: string;
  readonly task: NewTask;
  state: string;
  log: TaskLogJson | undefined;
  running: RunningTask | undefined;
}

const NO_TASK = { message: "no such task" };

type Answer = readonly [status: number, body: unknown];

/**
 * A TES server for tests. It validates every request and each of its responses against TES 1.1, and really runs its
 * tasks. Tests switch on deviations.
 */
export class LocalTesServer {
  readonly deviations: Deviations = {};
  /** `METHOD path?query`, in order. */
  readonly requests: string[] = [];
  readonly posted: NewTask[] = [];
  /** Requests and responses that violate TES. */
  readonly violations: string[] = [];
  readonly tokens = new Set<string>();
  /** Number of requests to answer with 503 before doing anything. */
  failNext = 0;
  /** Number of new tasks to accept without answering. */
  loseNext = 0;
  /** Number of new tasks whose requests a gateway holds back until `deliver` is called; they get no response. */
  delayNext = 0;
  readonly #delayed: unknown[] = [];
  /** New tasks stay in the queue. */
  isHeld = false;
  /** Overrides the result of a task. */
  onRun: (task: NewTask) => { readonly state: string; readonly system: readonly string[] } | undefined = () =>
    undefined;
  readonly #tasks = new Map<string, KeptTask>();
  readonly #going = new Set<Promise<void>>();
  readonly #server: Server;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<LocalTesServer> {
    const server = new LocalTesServer(temporaryFolder());
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${port}/ga4gh/tes/v1`;
  }

  get states(): readonly string[] {
    return [...this.#tasks.values()].map(({ state }) => state);
  }

  /** Releases held tasks. */
  release(): void {
    this.isHeld = false;
    for (const kept of this.#tasks.values()) if (kept.state === "QUEUED") this.#begin(kept);
  }

  /** Lets the gateway deliver what it held back. */
  deliver(): void {
    for (const body of this.#delayed.splice(0)) this.#create(body);
  }

  /** Forgets all its tasks. */
  forget(): void {
    for (const { running } of this.#tasks.values()) running?.stop();
    this.#tasks.clear();
  }

  async close(): Promise<void> {
    for (const { running } of this.#tasks.values()) running?.stop();
    await Promise.all(this.#going);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    this.requests.push(`${method} ${url.replace("/ga4gh/tes/v1", "")}`);
    this.tokens.add(request.headers.authorization ?? "");
    const body: unknown = method === "POST" ? await json(request) : undefined;
    if (this.failNext > 0) {
      this.failNext -= 1;
      return reply(response, [503, { message: "try later" }]);
    }
    if (this.delayNext > 0 && method === "POST" && url.endsWith("/tasks")) {
      this.delayNext -= 1;
      this.#delayed.push(body);
      return void response.destroy();
    }
    const answer = this.#answer(method, new URL(url, "http://tes"), body);
    if (answer === undefined) response.destroy();
    else reply(response, answer);
  }

  /** Answers a request; undefined if the response is lost. */
  #answer(method: string, { pathname, searchParams }: URL, body: unknown): Answer | undefined {
    const path = pathname.replace("/ga4gh/tes/v1", "");
    const [, id, verb] = /^\/tasks\/([^/]+?)(:cancel)?$/.exec(path) ?? [];
    const query = Object.fromEntries(searchParams);
    if (path === "/tasks" && method === "POST") return this.#create(body);
    if (path === "/tasks" && method === "GET") return this.#list(query);
    const kept = id === undefined ? undefined : this.#tasks.get(decodeURIComponent(id));
    if (kept === undefined) return this.deviations.answersForUnknownIds === true ? [200, {}] : [404, NO_TASK];
    if (verb !== undefined && method === "POST") return this.#cancel(kept);
    const view = this.#checked(viewSchema, query["view"] ?? "MINIMAL");
    return view === undefined ? [400, {}] : this.#checkedAnswer(taskSchema, this.#viewed(kept, view));
  }

  #create(body: unknown): Answer | undefined {
    const task = this.#checked(newTaskSchema, body);
    if (task === undefined) return [400, { message: this.violations.at(-1) }];
    this.posted.push(task);
    const number = this.#tasks.size + 1;
    const id = this.deviations.hasSlashesInIds === true ? `ns/task ${number}` : `task-${number}`;
    const kept: KeptTask = { id, task, state: "QUEUED", log: undefined, running: undefined };
    this.#tasks.set(id, kept);
    if (!this.isHeld) this.#begin(kept);
    if (this.loseNext === 0) return this.#checkedAnswer(createdSchema, { id }, this.deviations.createdStatus);
    this.loseNext -= 1;
    return undefined;
  }

  #list(query: Readonly<Record<string, string>>): Answer {
    const asked = this.#checked(listQuerySchema, query);
    if (asked === undefined) return [400, { message: this.violations.at(-1) }];
    const { name_prefix: prefix = "", tag_key: key, tag_value: value } = asked;
    const matching = [...this.#tasks.values()].filter(({ task }) => {
      const tags = this.deviations.dropsTags === true ? {} : (task.tags ?? {});
      const isTagged = key === undefined || tags[key] === value;
      return this.deviations.ignoresFilters === true || (isTagged && task.name?.startsWith(prefix) === true);
    });
    const first = Number(asked.page_token ?? 0);
    const size = this.deviations.pageSize ?? asked.page_size ?? 256;
    const page = matching.slice(first, first + size);
    const more = first + size < matching.length ? { next_page_token: String(first + size) } : {};
    return this.#checkedAnswer(pageSchema, {
      tasks: page.map((kept) => this.#viewed(kept, asked.view ?? "MINIMAL")),
      ...more,
    });
  }

  #cancel(kept: KeptTask): Answer {
    const isActive = ["QUEUED", "RUNNING", "CANCELING"].includes(kept.state);
    if (!isActive && this.deviations.failsToCancelEnded === true) return [500, { message: "it has ended" }];
    if (isActive) kept.state = kept.running === undefined ? "CANCELED" : "CANCELING";
    kept.running?.stop();
    return this.#checkedAnswer(canceledSchema, {});
  }

  #begin(kept: KeptTask): void {
    const going = this.#run(kept).finally(() => this.#going.delete(going));
    this.#going.add(going);
  }

  async #run(kept: KeptTask): Promise<void> {
    const root = join(this.#root, kept.id.replaceAll("/", "-"));
    await mkdir(root);
    const { task } = kept;
    const [executor] = task.executors;
    const running = new RunningTask(task, root);
    const outcome = this.onRun(task);
    if (outcome !== undefined || executor === undefined)
      return this.#end(kept, outcome?.state ?? "SYSTEM_ERROR", outcome?.system ?? []);
    kept.running = running;
    kept.state = "RUNNING";
    try {
      await running.stageInputs();
      const exitCode = await running.run(executor);
      const isError = exitCode !== 0 && (executor.ignore_error !== true || this.deviations.ignoresIgnoreError === true);
      if (kept.state === "CANCELING") return this.#end(kept, "CANCELED", []);
      if (kept.state !== "RUNNING") return;
      if (!isError) await running.collectOutputs();
      const streams = { stdout: running.stream(executor.stdout), stderr: running.stream(executor.stderr) };
      this.#end(kept, isError ? "EXECUTOR_ERROR" : "COMPLETE", [], [{ ...streams, exit_code: exitCode }]);
    } catch (error) {
      this.#end(kept, "SYSTEM_ERROR", [String(error)]);
    }
  }

  #end(kept: KeptTask, state: string, system: readonly string[], logs: TaskLogJson["logs"] = []): void {
    kept.log = { logs, outputs: [], system_logs: [...system] };
    kept.running = undefined;
    kept.state = state;
  }

  #viewed(kept: KeptTask, view: z.infer<typeof viewSchema>): unknown {
    const { id, task, state, log } = kept;
    if (state === "CANCELING" && this.deviations.skipsCanceling === true)
      return this.#viewed({ ...kept, state: "RUNNING" }, view);
    if (view === "MINIMAL") return { id, state };
    const { tags, ...rest } = task;
    const basicView = { ...rest, ...(this.deviations.dropsTags === true ? {} : { tags }), id, state };
    if (log === undefined || this.deviations.hasNoLogs === true) return basicView;
    if (view === "FULL") return { ...basicView, logs: [log] };
    const { system_logs: _, logs, ...basic } = log;
    return { ...basicView, logs: [{ ...basic, logs: logs.map(({ exit_code }) => ({ exit_code })) }] };
  }

  #checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.violations.push(`${parsed.error.message} in ${JSON.stringify(value)}`);
    return undefined;
  }

  #checkedAnswer(schema: z.ZodType, body: unknown, status = 200): Answer {
    this.#checked(schema, body);
    return [status, body];
  }
}

function reply(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
