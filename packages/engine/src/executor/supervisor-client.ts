import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { JOB_SUPERVISOR } from "./job-supervisor.ts";
import { errorText } from "../error-text.ts";

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

/** A wrapper that reads orders. */
interface Wrapper {
  readonly pid: number;
  readonly shell: ChildProcess;
  /** The descriptor of its pipe; undefined if the server cannot open it. Then the wrapper gets no other job. */
  readonly orders: number | undefined;
}

/** Runs jobs with the same key one after the other, in a wrapper that stays as long as nothing goes wrong. */
interface Slot {
  readonly id: number;
  readonly key: string;
  /** The number of its most recent job. */
  number: number;
  wrapper: Wrapper | undefined;
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

/** The server opens no other path, because an unsandboxed job might write to the pipe that this text comes from. */
const PIPE = /^\/proc\/\d+\/fd\/\d+$/;

/** The shell that starts unsandboxed programs. */
export function shellSupervisor(jobsPerShell = JOBS_PER_SHELL): readonly string[] {
  return [bashPath(), "--norc", "--noprofile", "-c", JOB_SUPERVISOR, "weft-job", String(jobsPerShell)];
}

/**
 * Communicates with a supervisor: starts it with the first job, and replaces it if it was killed. Sends it a line for each
 * job that needs a new wrapper, `<number> <slot> <key> <folder>`, and `0 <slot>` when a slot is over. Jobs for a wrapper
 * that is there go directly to it, `<number> <folder>` (ADR 107). Receives
 *
 *     forked <number> <pid> [path]   its wrapper; the pipe from which the wrapper reads the orders for later jobs
 *     started <number> [pid]   its program (may arrive before the line above)
 *     ended <number> [clean|last]   its record is written; `clean`: no process of the job is left; `last`: its wrapper
 *                              takes no other job
 *     taken <number> [last]    another wrapper or server has claimed the attempt folder; nothing was run
 *     gone <pid> [unfit]       the wrapper has ended; `unfit`: it may have ignored its last order
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
  /** Slots with a wrapper, by the process id of the wrapper. */
  readonly #slots = new Map<number, Slot>();
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
    slot.number = this.#lastNumber;
    this.#starts.set(slot.number, { slot, folder, listener });
    if (this.#order(slot, folder)) listener({ kind: "forked", pid: slot.wrapper?.pid ?? 0 });
    else this.#tell(slot.number);
    return () => {
      slot.isRetired = true;
    };
  }

  /** Ends wrappers that have been idle for a while. Call it often. */
  endIdle(): void {
    const untilMs = performance.now() - IDLE_MS;
    const kept = this.#free.slice(-MAX_IDLE).filter(({ freeSinceMs }) => freeSinceMs > untilMs);
    for (const slot of this.#free) if (!kept.includes(slot)) this.#dismiss(slot);
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
    this.#leaveWrappersOf(shell);
    shell.stdin?.end();
    await Promise.race([this.#over.promise, once(shell, "exit")]);
    shell.stdout?.destroy();
    shell.unref();
  }

  #slotFor(key: string): Slot {
    const at = this.#free.findLastIndex((slot) => slot.key === key);
    const [slot] = at < 0 ? [] : this.#free.splice(at, 1);
    return slot ?? { id: ++this.#lastSlot, key, number: 0, wrapper: undefined, isRetired: false, freeSinceMs: 0 };
  }

  /** Sends the wrapper of the slot an order for the slot's job. If that fails, the slot needs a new wrapper. */
  #order(slot: Slot, folder: string): boolean {
    const orders = slot.wrapper?.orders;
    try {
      if (orders !== undefined) return writeSync(orders, `${slot.number} ${folder}\n`) > 0;
    } catch {
      // The wrapper has ended.
    }
    this.#leaveWrapper(slot);
    return false;
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
    shell.on("error", (error) => this.#reject(shell, `${program} cannot be started: ${errorText(error)}`));
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
    const [kind, numberText, detail, path] = line.split(" ");
    const number = Number(numberText);
    const pid = Number(detail);
    if (kind === "over") this.#over.resolve();
    else if (kind === "forked") this.#fork(number, pid, path);
    else if (kind === "started") this.#begin(number, detail === undefined ? { kind } : { kind, pid });
    else if (kind === "ended") this.#end(number, { kind, isClean: detail === "clean" }, detail === "last");
    else if (kind === "taken") this.#end(number, { kind }, detail === "last");
    else if (kind === "gone") this.#lose(number, detail === "unfit");
  }

  #fork(number: number, pid: number, path: string | undefined): void {
    const shell = this.#unconfirmed.get(number);
    this.#unconfirmed.delete(number);
    const start = this.#starts.get(number);
    start?.listener({ kind: "forked", pid });
    if (start !== undefined && shell !== undefined && path !== undefined) {
      start.slot.wrapper = { pid, shell, orders: openPipe(path) };
      this.#slots.set(pid, start.slot);
    }
    this.#beginEarly(number);
  }

  /** A wrapper has ended by itself, or was killed. */
  #lose(pid: number, isUnfit: boolean): void {
    const slot = this.#slots.get(pid);
    if (slot === undefined) return;
    this.#leaveWrapper(slot);
    const start = this.#starts.get(slot.number);
    if (start === undefined) return;
    if (isUnfit && !existsSync(join(start.folder, "record"))) this.#tell(slot.number);
    else this.#end(slot.number, { kind: "ended", isClean: false }, true);
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
    if (slot.isRetired) return this.#dismiss(slot);
    slot.freeSinceMs = performance.now();
    this.#free.push(slot);
  }

  /** The slot's wrapper then ends, because nobody can write orders to it any more. */
  #dismiss(slot: Slot): void {
    this.#leaveWrapper(slot);
    this.#send(`0 ${slot.id}`);
  }

  #leaveWrapper(slot: Slot): void {
    if (slot.wrapper === undefined) return;
    if (slot.wrapper.orders !== undefined) closeSync(slot.wrapper.orders);
    this.#slots.delete(slot.wrapper.pid);
    slot.wrapper = undefined;
  }

  #leaveWrappersOf(shell: ChildProcess): void {
    for (const slot of [...this.#slots.values()]) if (slot.wrapper?.shell === shell) this.#leaveWrapper(slot);
  }

  /** A killed shell may have left lines unread. A job that it had started is taken, as the next shell finds out. */
  #resend(shell: ChildProcess): void {
    this.#leaveWrappersOf(shell);
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

function openPipe(path: string): number | undefined {
  if (!PIPE.test(path)) return undefined;
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Its standard location, whatever PATH says; otherwise looked up in PATH. */
function bashPath(): string {
  return ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "bash";
}
