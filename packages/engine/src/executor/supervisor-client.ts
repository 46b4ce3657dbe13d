import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { JOB_SUPERVISOR } from "./job-supervisor.ts";

/**
 * Messages about a job, normally `forked` first: its wrapper has process id `pid`; `started`: its program has `pid`, if
 * the supervisor says so; `taken`: another wrapper or server has claimed the attempt, and nothing was run; `rejected`: it
 * cannot be started. `isClean`: certainly, no process of the job is left.
 */
export type SupervisorMessage =
  | { readonly kind: "forked"; readonly pid: number }
  | { readonly kind: "started"; readonly pid?: number }
  | { readonly kind: "ended"; readonly isClean: boolean }
  | { readonly kind: "taken" }
  | { readonly kind: "rejected"; readonly message: string };

export type SupervisorListener = (message: SupervisorMessage) => void;

/** A wrapper that can run another job with the same key once its last job has ended. */
interface Slot {
  readonly id: number;
  readonly key: string;
  /** It was sent a signal, which may arrive late. */
  isRetired: boolean;
  /** Monotonic, in milliseconds. */
  freeSinceMs: number;
}

interface Start {
  readonly slot: Slot;
  readonly folder: string;
  readonly listener: SupervisorListener;
}

/** How long the wrapper of a free slot stays, and how many stay. */
const IDLE_MS = 2_000;
const MAX_IDLE = 32;
const JOBS_PER_SHELL = 5_000;
/** A supervisor that exits this many times in a row without a message does not work here. */
const MAX_SILENT_ENDS = 3;

/** The shell that starts unsandboxed programs. */
export function shellSupervisor(jobsPerShell = JOBS_PER_SHELL): readonly string[] {
  return [bashPath(), "--norc", "--noprofile", "-c", JOB_SUPERVISOR, "weft-job", String(jobsPerShell)];
}

/**
 * Communicates with a supervisor: starts it with the first job, and replaces it if it was killed. Sends a line for each
 * job, `<number> <slot> <key> <folder>`, and `0 <slot>` when a slot is over. Receives
 *
 *     forked <number> <pid>    its wrapper
 *     started <number> [pid]   its program (may arrive before the line above)
 *     ended <number> [clean|last]   its record is written; `clean`: no process of the job is left; `last`: its wrapper
 *                              takes no other job
 *     taken <number> [last]    another wrapper or server has claimed the attempt folder; nothing was run
 *     over                     end of input, and every line was handled
 *
 * The client chooses the slot, because only it knows that it has received the end of the last job there: a signal for the
 * wrapper of one job must never reach the next.
 */
export class SupervisorClient {
  readonly #program: readonly string[];
  #shell: ChildProcess | undefined;
  #lastNumber = 0;
  #lastSlot = 0;
  /** The last one was freed last. */
  #free: Slot[] = [];
  readonly #starts = new Map<number, Start>();
  /** Unconfirmed starts: resent to another shell if theirs ends. */
  readonly #unconfirmed = new Map<number, ChildProcess>();
  /** How often in a row a supervisor has exited without a message. */
  #silentEnds = 0;
  /** The shell has read its last line. */
  readonly #over = Promise.withResolvers<void>();
  /** Programs that started before the supervisor reported their wrappers. */
  readonly #early = new Map<number, SupervisorMessage>();

  constructor(program: readonly string[]) {
    this.#program = program;
  }

  /** Starts the shell before the first job. */
  warm(): void {
    this.#shell ??= this.#spawn();
  }

  /**
   * Starts the job whose `launch` file is in the folder. Jobs with the same key (no spaces) may have the same wrapper, one
   * after the other. Call the returned function when the wrapper is sent a signal.
   */
  start(folder: string, key: string, listener: SupervisorListener): () => void {
    this.#lastNumber += 1;
    const slot = this.#slotFor(key);
    this.#starts.set(this.#lastNumber, { slot, folder, listener });
    this.#tell(this.#lastNumber);
    return () => {
      slot.isRetired = true;
    };
  }

  /** Ends wrappers that have been idle for a while. Call it often. */
  endIdle(): void {
    const untilMs = performance.now() - IDLE_MS;
    const kept = this.#free.slice(-MAX_IDLE).filter(({ freeSinceMs }) => freeSinceMs > untilMs);
    for (const slot of this.#free) if (!kept.includes(slot)) this.#send(`0 ${slot.id}`);
    this.#free = kept;
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

  #slotFor(key: string): Slot {
    const at = this.#free.findLastIndex((slot) => slot.key === key);
    const [slot] = at < 0 ? [] : this.#free.splice(at, 1);
    return slot ?? { id: ++this.#lastSlot, key, isRetired: false, freeSinceMs: 0 };
  }

  #tell(number: number): void {
    const { slot, folder } = this.#starts.get(number) ?? {};
    this.#shell ??= this.#spawn();
    this.#unconfirmed.set(number, this.#shell);
    this.#send(`${number} ${slot?.id} ${slot?.key} ${folder}`);
  }

  #send(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
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
    const [kind, numberText, detail] = line.split(" ");
    const number = Number(numberText);
    const pid = Number(detail);
    if (kind === "over") this.#over.resolve();
    else if (kind === "forked") this.#fork(number, pid);
    else if (kind === "started") this.#begin(number, detail === undefined ? { kind } : { kind, pid });
    else if (kind === "ended") this.#end(number, { kind, isClean: detail === "clean" }, detail === "last");
    else if (kind === "taken") this.#end(number, { kind }, detail === "last");
  }

  #fork(number: number, pid: number): void {
    this.#unconfirmed.delete(number);
    this.#starts.get(number)?.listener({ kind: "forked", pid });
    this.#beginEarly(number);
  }

  #begin(number: number, message: SupervisorMessage): void {
    if (this.#unconfirmed.has(number)) this.#early.set(number, message);
    else this.#starts.get(number)?.listener(message);
  }

  #beginEarly(number: number): void {
    const message = this.#early.get(number);
    if (message === undefined) return;
    this.#early.delete(number);
    this.#starts.get(number)?.listener(message);
  }

  #end(number: number, message: SupervisorMessage, isLast: boolean): void {
    const start = this.#starts.get(number);
    this.#unconfirmed.delete(number);
    this.#beginEarly(number);
    this.#starts.delete(number);
    if (start === undefined) return;
    if (isLast) start.slot.isRetired = true;
    this.#giveBack(start.slot);
    start.listener(message);
  }

  #giveBack(slot: Slot): void {
    if (slot.isRetired) return this.#send(`0 ${slot.id}`);
    slot.freeSinceMs = performance.now();
    this.#free.push(slot);
  }

  /** A killed shell may have left lines unread. A job that it had started is taken, as the next shell finds out. */
  #resend(shell: ChildProcess): void {
    this.#silentEnds += 1;
    if (this.#silentEnds > MAX_SILENT_ENDS)
      return this.#reject(shell, `${this.#program[0]} exits before it starts a job`);
    if (this.#shell === shell) this.#shell = undefined;
    for (const number of this.#unconfirmedOf(shell)) this.#tell(number);
  }

  #reject(shell: ChildProcess, message: string): void {
    if (this.#shell === shell) this.#shell = undefined;
    for (const number of this.#unconfirmedOf(shell)) this.#end(number, { kind: "rejected", message }, true);
  }

  #unconfirmedOf(shell: ChildProcess): readonly number[] {
    return [...this.#unconfirmed].filter(([, told]) => told === shell).map(([number]) => number);
  }
}

/** Its standard location, whatever PATH says; otherwise looked up in PATH. */
function bashPath(): string {
  return ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "bash";
}
