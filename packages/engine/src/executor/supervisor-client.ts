import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { JOB_SUPERVISOR } from "./job-supervisor.ts";

/** Messages about a job, normally `forked` first; `rejected` if it cannot be started. */
export type SupervisorMessage =
  | { readonly kind: "forked"; readonly pid: number }
  | { readonly kind: "started" | "ended" | "taken" }
  | { readonly kind: "rejected"; readonly message: string };

export type SupervisorListener = (message: SupervisorMessage) => void;

const JOBS_PER_SHELL = 5_000;
/** A supervisor that exits this many times in a row without a message does not work here. */
const MAX_SILENT_ENDS = 3;

/** The shell that starts unsandboxed programs. */
export function shellSupervisor(jobsPerShell = JOBS_PER_SHELL): readonly string[] {
  return [bashPath(), "--norc", "--noprofile", "-c", JOB_SUPERVISOR, "weft-job", String(jobsPerShell)];
}

/** Communicates with a supervisor: starts it with the first job, and replaces it if it was killed. */
export class SupervisorClient {
  readonly #program: readonly string[];
  #shell: ChildProcess | undefined;
  #lastNumber = 0;
  readonly #listeners = new Map<number, SupervisorListener>();
  /** Unconfirmed starts: resent to another shell if theirs ends. */
  readonly #unconfirmed = new Map<number, { readonly place: string; readonly shell: ChildProcess }>();
  /** How often in a row a supervisor has exited without a message. */
  #silentEnds = 0;
  /** The shell has read its last line. */
  readonly #over = Promise.withResolvers<void>();
  /** Messages of a wrapper that arrived before the shell reported its fork. */
  readonly #early = new Set<number>();

  constructor(program: readonly string[]) {
    this.#program = program;
  }

  /** Starts the shell before the first job. */
  warm(): void {
    this.#shell ??= this.#spawn();
  }

  /**
   * Starts the job whose `launch` file is in the folder; `place` is the folder, preceded by its key for a sandbox
   * supervisor.
   */
  start(place: string, listener: SupervisorListener): void {
    this.#lastNumber += 1;
    this.#listeners.set(this.#lastNumber, listener);
    this.#tell(this.#lastNumber, place);
  }

  /**
   * Waits until the shell has started everything it received, and detaches; its jobs keep running, and it exits with
   * the last of them.
   */
  async close(): Promise<void> {
    const shell = this.#shell;
    if (shell === undefined) return;
    this.#shell = undefined;
    shell.stdin?.end();
    await Promise.race([this.#over.promise, once(shell, "exit")]);
    shell.stdout?.destroy();
    shell.unref();
  }

  #tell(number: number, place: string): void {
    this.#shell ??= this.#spawn();
    this.#unconfirmed.set(number, { place, shell: this.#shell });
    this.#shell.stdin?.write(`${number} ${place}\n`);
  }

  #spawn(): ChildProcess {
    const [program = "", ...args] = this.#program;
    const shell = spawn(program, args, {
      cwd: "/",
      // Ctrl-C in the terminal reaches the whole foreground group, but the server decides what happens to jobs.
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    });
    shell.on("error", (error) => this.#reject(shell, `${program} cannot be started: ${error.message}`));
    shell.on("exit", () => this.#resend(shell));
    // It may exit before it has read everything; `exit` handles that.
    shell.stdin.on("error", () => {});
    createInterface({ input: shell.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) =>
      this.#handle(line),
    );
    return shell;
  }

  #handle(line: string): void {
    this.#silentEnds = 0;
    const [kind, number, pid] = line.split(" ");
    const id = Number(number);
    const listener = this.#listeners.get(id);
    if (kind === "over") this.#over.resolve();
    else if (kind === "forked") this.#fork(id, Number(pid));
    else if (kind === "started" && this.#unconfirmed.has(id)) this.#early.add(id);
    else if (kind === "started") listener?.({ kind });
    else if (kind === "ended" || kind === "taken") this.#end(id, kind);
  }

  #fork(id: number, pid: number): void {
    this.#unconfirmed.delete(id);
    const listener = this.#listeners.get(id);
    listener?.({ kind: "forked", pid });
    if (this.#early.delete(id)) listener?.({ kind: "started" });
  }

  #end(id: number, kind: "ended" | "taken"): void {
    this.#unconfirmed.delete(id);
    const listener = this.#listeners.get(id);
    this.#listeners.delete(id);
    if (this.#early.delete(id)) listener?.({ kind: "started" });
    listener?.({ kind });
  }

  /** A killed shell may have left lines unread. A job that it had started is taken, as the next shell finds out. */
  #resend(shell: ChildProcess): void {
    this.#silentEnds += 1;
    if (this.#silentEnds > MAX_SILENT_ENDS)
      return this.#reject(shell, `${this.#program[0]} exits before it starts a job`);
    if (this.#shell === shell) this.#shell = undefined;
    for (const [number, place] of this.#unconfirmedOf(shell)) this.#tell(number, place);
  }

  #reject(shell: ChildProcess, message: string): void {
    if (this.#shell === shell) this.#shell = undefined;
    for (const [number] of this.#unconfirmedOf(shell)) {
      this.#listeners.get(number)?.({ kind: "rejected", message });
      this.#listeners.delete(number);
      this.#unconfirmed.delete(number);
    }
  }

  #unconfirmedOf(shell: ChildProcess): readonly (readonly [number, string])[] {
    const starts = [...this.#unconfirmed].filter(([, start]) => start.shell === shell);
    return starts.map(([number, { place }]) => [number, place] as const);
  }
}

/** Its standard location, whatever PATH says; otherwise looked up in PATH. */
function bashPath(): string {
  return ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "bash";
}
