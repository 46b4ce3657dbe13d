import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Launch } from "./executor.ts";
import type { JobStarter, StarterListener, StarterMessage } from "./job-starter.ts";
import { writeLaunch, type Marks } from "./launch-file.ts";
import { errorText } from "../error-text.ts";

interface Start {
  readonly folder: string;
  readonly listener: StarterListener;
  /** The launcher that may not have read its order; undefined once it has. */
  unconfirmedBy: ChildProcess | undefined;
}

/** A launcher that exits this many times in a row without a message does not work here. */
const MAX_SILENT_ENDS = 3;

/**
 * Starts jobs through the launcher (native/weft-exec.c describes the protocol), one process for all jobs of a server.
 * Forking the server itself would cost time in proportion to its memory. If the launcher is killed, another one carries out
 * the orders that it had not confirmed. It may have begun some of them, but only one wrapper can claim an attempt. Nobody
 * reports the end of its other jobs, so the executor must look for their wrappers.
 */
export class LauncherClient implements JobStarter {
  readonly #path: string;
  #launcher: ChildProcess | undefined;
  #lastNumber = 0;
  readonly #starts = new Map<number, Start>();
  #silentEnds = 0;
  /** The launcher has read its last line. */
  readonly #over = Promise.withResolvers<void>();

  constructor(path: string) {
    this.#path = path;
  }

  warm(): void {
    this.#launcher ??= this.#spawn();
  }

  start(launch: Launch, marks: Marks, listener: StarterListener): void {
    const refused = writeLaunch(launch, marks);
    if (refused === undefined) this.order(launch.folder, listener);
    else listener(refused);
  }

  /** Starts the job whose launch file is in the folder. */
  order(folder: string, listener: StarterListener): void {
    this.#lastNumber += 1;
    const start = { folder, listener, unconfirmedBy: undefined };
    this.#starts.set(this.#lastNumber, start);
    this.#send(this.#lastNumber, start);
  }

  /** The launcher's jobs keep running, and it exits with the last of them. */
  async close(): Promise<void> {
    const launcher = this.#launcher;
    if (launcher === undefined) return;
    this.#launcher = undefined;
    launcher.stdin?.end();
    await Promise.race([this.#over.promise, once(launcher, "exit")]);
    launcher.stdout?.destroy();
    launcher.unref();
  }

  #send(number: number, start: Start): void {
    this.#launcher ??= this.#spawn();
    start.unconfirmedBy = this.#launcher;
    this.#launcher.stdin?.write(`${number} ${start.folder}\n`);
  }

  #spawn(): ChildProcess {
    const launcher = spawn(this.#path, [], {
      cwd: "/",
      // Ctrl-C in the terminal reaches the whole foreground group, but the server decides what happens to jobs.
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
      env: {},
    });
    launcher.on("error", (error) => this.#reject(launcher, `${this.#path} cannot be started: ${errorText(error)}`));
    launcher.on("exit", () => this.#resend(launcher));
    // The launcher may exit before it has read its input; the `exit` handler deals with that.
    launcher.stdin.on("error", () => {});
    createInterface({ input: launcher.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) =>
      this.#handle(line),
    );
    return launcher;
  }

  #handle(line: string): void {
    this.#silentEnds = 0;
    const [kind, numberText, pid] = line.split(" ");
    const number = Number(numberText);
    if (kind === "over") this.#over.resolve();
    else if (kind === "forked" || kind === "started") this.#begin(number, { kind, pid: Number(pid) });
    else if (kind === "ended" || kind === "taken") this.#end(number, { kind });
  }

  #begin(number: number, message: StarterMessage): void {
    const start = this.#starts.get(number);
    if (start === undefined) return;
    start.unconfirmedBy = undefined;
    start.listener(message);
  }

  #end(number: number, message: StarterMessage): void {
    const start = this.#starts.get(number);
    this.#starts.delete(number);
    start?.listener(message);
  }

  #resend(launcher: ChildProcess): void {
    this.#silentEnds += 1;
    if (this.#silentEnds > MAX_SILENT_ENDS) return this.#reject(launcher, `${this.#path} exits before it starts a job`);
    if (this.#launcher === launcher) this.#launcher = undefined;
    for (const [number, start] of this.#unconfirmedBy(launcher)) this.#send(number, start);
  }

  #reject(launcher: ChildProcess, message: string): void {
    if (this.#launcher === launcher) this.#launcher = undefined;
    for (const [number] of this.#unconfirmedBy(launcher)) this.#end(number, { kind: "rejected", message });
  }

  #unconfirmedBy(launcher: ChildProcess): readonly (readonly [number, Start])[] {
    return [...this.#starts].filter(([, { unconfirmedBy }]) => unconfirmedBy === launcher);
  }
}
