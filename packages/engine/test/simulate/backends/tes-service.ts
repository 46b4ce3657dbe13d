import type { TaskDocument } from "../../../src/executor/tes/task-document.ts";
import { WORLD } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";
import type { Execution, Programs } from "./programs.ts";
import { TesWorker } from "./tes-worker.ts";

/** A task as the service keeps it. */
export interface ServiceTask {
  readonly id: string;
  readonly document: TaskDocument;
  readonly isStray: boolean;
  state: string;
  exitCode: number | undefined;
  /** The program never ends. */
  hangs: boolean;
  /** The task's program, once it has begun. */
  execution: Execution | undefined;
  /** Ends its program; undefined: it does not run. */
  stop: (() => void) | undefined;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

export const TES_URL = "http://tes.test/ga4gh/tes/v1";
const GONE: Answer = { status: 404, json: { message: "no such task" } };

/** A TES server behind HTTP. It outlives the server of Weft, loses requests and answers, and forgets tasks. */
export class TesService {
  readonly #machine: Machine;
  readonly #rates: FaultRates;
  readonly #worker: TesWorker;
  isDown = false;
  #tasks: ServiceTask[] = [];
  #lastId = 0;

  constructor(machine: Machine, programs: Programs, rates: FaultRates) {
    this.#machine = machine;
    this.#rates = rates;
    this.#worker = new TesWorker(machine, programs, rates);
  }

  /** Replaces the global `fetch`. */
  readonly fetch = (address: string, { method = "GET", body, signal }: RequestInit = {}): Promise<unknown> => {
    const { loop, decisions, process } = this.#machine;
    this.#machine.enter();
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("the request took too long")), { once: true });
      const isPost = method === "POST" && !address.includes(":cancel");
      const isDelayed = isPost && decisions.happens("tes.delayed-request", this.#rates.tesDelayedRequest);
      if (decisions.happens("tes.lost-request", this.#rates.tesLostRequest)) return;
      const arrivesMs = decisions.delayMs("tes.request", 20, 2000) + (isDelayed ? 60_000 : 0);
      const arrive = () => {
        const answer = this.#answer(new URL(address), { method, body: String(body), isDelayed });
        if (decisions.happens("tes.lost-answer", this.#rates.tesLostAnswer)) return;
        loop.after(decisions.delayMs("tes.answer", 20, 2000), () => resolve(responseOf(answer)), process);
      };
      loop.after(arrivesMs, arrive, WORLD);
    });
  };

  get isIdle(): boolean {
    return this.#tasks.every(({ stop }) => stop === undefined);
  }

  endHanging(isLeft: (runId: string) => boolean): void {
    for (const task of this.#tasks)
      if (task.hangs && !isLeft(task.document.name.split("/")[0] ?? "")) this.#cancel(task);
  }

  #answer(url: URL, { method, body, isDelayed }: { method: string; body: string; isDelayed: boolean }): Answer {
    if (this.isDown || this.#machine.decisions.happens("tes.silent", this.#rates.tesSilent))
      return { status: 503, json: {} };
    const path = url.pathname.slice(new URL(TES_URL).pathname.length);
    if (path === "/tasks" && method === "POST") return this.#create(JSON.parse(body) as TaskDocument, isDelayed); // sent by Weft
    if (path === "/tasks") return { status: 200, json: { tasks: this.#list(url.searchParams).map(viewOf) } };
    const [, id, verb] = /^\/tasks\/([^:]+)(:cancel)?$/.exec(path) ?? [];
    const task = this.#tasks.find((known) => known.id === id);
    if (task === undefined) return GONE;
    if (verb !== undefined) this.#cancel(task);
    return { status: 200, json: verb === undefined ? viewOf(task) : {} };
  }

  #create(document: TaskDocument, isStray: boolean): Answer {
    const { decisions, loop } = this.#machine;
    const task: ServiceTask = {
      ...{ id: `t${++this.#lastId}`, document, isStray },
      ...{ state: "QUEUED", exitCode: undefined, hangs: false, execution: undefined, stop: undefined },
    };
    this.#tasks.push(task);
    loop.after(decisions.delayMs("tes.turn", 3000, 20_000), () => this.#begin(task), WORLD);
    return { status: 200, json: { id: task.id } };
  }

  #begin(task: ServiceTask): void {
    const { decisions, loop } = this.#machine;
    if (task.state !== "QUEUED") return;
    if (decisions.happens("tes.system-error", this.#rates.tesSystemError)) {
      task.state = "SYSTEM_ERROR";
      return;
    }
    task.state = "RUNNING";
    const end = (state: string, exitCode: number | undefined) => {
      Object.assign(task, { state, exitCode, stop: undefined });
      if (decisions.happens("tes.forgets", this.#rates.tesForgets)) {
        const forget = () => this.#forget(task);
        loop.after(60_000 + decisions.delayMs("tes.forgets-after", 2000, 60_000), forget, WORLD);
      }
    };
    task.stop = this.#worker.run(task, end);
  }

  /** The end of the task can no longer be found out. */
  #forget(task: ServiceTask): void {
    this.#tasks = this.#tasks.filter((other) => other !== task);
    if (task.execution !== undefined) Object.assign(task.execution, { recorded: undefined, isForgotten: true });
  }

  #cancel(task: ServiceTask): void {
    if (task.state === "QUEUED") task.state = "CANCELED";
    task.stop?.();
  }

  #list(query: URLSearchParams): readonly ServiceTask[] {
    const [prefix, value] = [query.get("name_prefix") ?? "", query.get("tag_value")];
    return this.#tasks.filter(
      ({ document: { name, tags } }) =>
        name.startsWith(prefix) && (value === null || Object.values(tags).includes(value)),
    );
  }
}

function viewOf({ id, state, exitCode, document }: ServiceTask): unknown {
  const logs = exitCode === undefined ? [] : [{ logs: [{ exit_code: exitCode, stdout: "", stderr: "" }] }];
  return { id, state, name: document.name, tags: document.tags, logs };
}

function responseOf({ status, json }: Answer): unknown {
  return { status, ok: status < 300, text: () => Promise.resolve(JSON.stringify(json)) };
}
