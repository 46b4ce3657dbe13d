import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { KillReport, Launch } from "./executor.ts";
import type { RunnerAnswer, RunnerRequest } from "./runner-protocol.ts";

type Listener = (answer: RunnerAnswer | { readonly op: "gone" }) => void;

/** Speaks to the runner process; starts it, and starts another one when it was killed. */
export class RunnerClient {
  #child: ChildProcess | undefined;
  #closed = false;
  #lastId = 0;
  readonly #listeners = new Map<number, Listener>();

  /** Starts the runner ahead of the first job. */
  warm(): void {
    this.#child ??= this.#fork();
  }

  /** Starts a job; `listener` hears what becomes of it, `gone` when the runner died under it. */
  start(launch: Launch, listener: Listener): void {
    this.#send({ op: "start", id: this.#listen(listener), launch });
  }

  /** Tells of a job that another runner started, so that its wrapper is ended with it. */
  adopt(pid: number, markers: readonly string[]): void {
    this.#lastId += 1;
    this.#send({ op: "adopt", id: this.#lastId, pid, markers });
  }

  kill(marker: string, graceMs: number): Promise<KillReport> {
    return new Promise((resolve, reject) => {
      const id = this.#listen((answer) => {
        if (answer.op === "killed") resolve(answer.report);
        else
          reject(
            new Error(
              answer.op === "kill-failed" ? answer.message : "the runner process ended while it was killing jobs",
            ),
          );
      });
      this.#send({ op: "kill", id, marker, graceMs });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined || !child.connected) return;
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  }

  #listen(listener: Listener): number {
    this.#lastId += 1;
    this.#listeners.set(this.#lastId, listener);
    return this.#lastId;
  }

  #send(request: RunnerRequest): void {
    if (this.#closed) throw new Error("the runner was closed");
    this.#child ??= this.#fork();
    this.#child.send(request);
  }

  #fork(): ChildProcess {
    const child = fork(fileURLToPath(new URL("./runner-main.ts", import.meta.url)), {
      serialization: "json",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.on("message", (answers: readonly RunnerAnswer[]) => answers.forEach((answer) => this.#hear(answer)));
    child.on("exit", () => this.#gone(child));
    child.on("error", () => this.#gone(child));
    return child;
  }

  #hear(answer: RunnerAnswer): void {
    if (answer.op === "ready") return;
    this.#listeners.get(answer.id)?.(answer);
    if (answer.op !== "started") this.#listeners.delete(answer.id);
  }

  #gone(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const orphaned = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of orphaned) listener({ op: "gone" });
  }
}
