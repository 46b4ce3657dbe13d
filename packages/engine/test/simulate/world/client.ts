import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { runsOf } from "../../../src/testing/ask-runs.ts";
import type { Caller } from "../../../src/port/caller.ts";
import { WORLD, type EventLoop } from "../machine/event-loop.ts";
import type { History } from "./history.ts";
import type { PlannedRun } from "./plan.ts";
import type { Server } from "./server.ts";

/** A user of the server. */
export const CALLER: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "changeable" };
const AGAIN_MS = 500;
/** A request whose server is gone never gets an answer. */
const PATIENCE_MS = 15_000;

interface ClientWorld {
  readonly loop: EventLoop;
  readonly history: History;
  /** Undefined while no server runs. */
  readonly server: () => Server | undefined;
}

interface ClientRequest {
  readonly what: string;
  readonly act: (server: Server) => Promise<void>;
  /** Called once it has been answered. */
  readonly answered: () => void;
}

/** A user who starts a run, and repeats each request until it has an answer. */
export class Client {
  readonly run: PlannedRun;
  readonly #world: ClientWorld;
  /** Known once a server has acknowledged the run. */
  runId: string | undefined;
  #left = 0;

  constructor(run: PlannedRun, world: ClientWorld) {
    this.run = run;
    this.#world = world;
    const { atMs, abortAtMs, pause } = run;
    this.#at(atMs, "create", (server) => this.#create(server));
    if (abortAtMs !== undefined) this.#at(atMs + abortAtMs, "abort", (server) => this.#abort(server));
    if (pause === undefined) return;
    const resume = () =>
      this.#at(pause.forMs, "resume", (server) => this.#withRun((id) => runsOf(server).resume(CALLER, id)));
    // The resumption waits until the run is paused, because a pause that is repeated after the resumption would pause
    // it again.
    this.#at(atMs + pause.atMs, "pause", (server) => this.#withRun((id) => runsOf(server).pause(CALLER, id)), resume);
  }

  /** Every request has been answered. */
  get isDone(): boolean {
    return this.#left === 0;
  }

  async #create({ runs }: Server): Promise<void> {
    const { key, network, texts, cores, ram, limit, options, sink } = this.run;
    const inputs = {
      ...(network === "chain" || network === "travel" ? { text: texts[0] } : { texts }),
      cores,
      ram,
      limit,
    };
    const sinks = sink === undefined ? {} : { sink_data: { said: sink } };
    const body = { network, name: key, inputs, options, ...sinks } as CreateRun; // as drawn by the plan
    const { run } = await runs.create(CALLER, { body, idempotencyKey: key });
    if (this.runId !== undefined && this.runId !== run.run_id) throw new Error(`${key} has two runs`);
    this.runId = run.run_id;
  }

  async #abort({ runs }: Server): Promise<void> {
    await this.#withRun((id) => runs.abort(CALLER, id, 1000));
  }

  /** A final run needs no request any more. */
  async #withRun(act: (runId: string) => Promise<unknown>): Promise<void> {
    if (this.runId === undefined) throw new Error("the run is not acknowledged yet");
    try {
      await act(this.runId);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "conflict") throw error;
    }
  }

  #at(delayMs: number, what: string, act: (server: Server) => Promise<void>, answered = () => {}): void {
    this.#left += 1;
    this.#world.loop.after(delayMs, () => this.#ask({ what, act, answered }), WORLD);
  }

  #ask(request: ClientRequest): void {
    const { what, act, answered } = request;
    const { loop, history } = this.#world;
    const server = this.#world.server();
    const again = () => loop.after(AGAIN_MS, () => this.#ask(request), WORLD);
    if (server === undefined) return void again();
    let isOver = false;
    const over = (next: () => void) => {
      if (isOver) return;
      isOver = true;
      next();
    };
    loop.after(PATIENCE_MS, () => over(again), WORLD);
    act(server).then(
      () =>
        over(() => {
          history.note(`${this.run.key}: ${what} was answered`);
          answered();
          this.#left -= 1;
        }),
      (error: unknown) => over(() => (history.note(`${this.run.key}: ${what} failed: ${String(error)}`), again())),
    );
  }
}
