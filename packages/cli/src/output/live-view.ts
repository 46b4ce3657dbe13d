import type { RunSnapshot } from "@weft/engine/document/read-run-snapshot.ts";
import { liveLines } from "./live-lines.ts";

/** The part of a terminal that a live view needs. */
export interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

interface LiveOptions {
  readonly hasColor: boolean;
  readonly nowMs: () => number;
  /** Reads the current state of the run; undefined before the run is recorded. */
  readonly look: () => Promise<RunSnapshot | undefined>;
}

const CLEAR_BELOW = "\u001B[J";
/** Shortest time between two changes of the view. */
const INTERVAL_MS = 200;

/** Lines at the end of a terminal that follow a run; other lines appear above them. */
export class LiveView {
  readonly #terminal: Terminal;
  readonly #options: LiveOptions;
  #lines: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #drawing: Promise<void> = Promise.resolve();

  constructor(terminal: Terminal, options: LiveOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#draw(), INTERVAL_MS);
  }

  /** Writes a line above the view. */
  log(line: string): void {
    this.#terminal.write(`${this.#up()}${CLEAR_BELOW}${line}\n${this.#block()}`);
  }

  /** Draws the last state, which stays on the terminal. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#draw();
  }

  /** Draws the states in the order of the calls; each is read at once, because drawing waits for earlier ones. */
  #draw(): Promise<void> {
    this.#drawing = this.#drawAfter(this.#drawing, this.#options.look());
    return this.#drawing;
  }

  async #drawAfter(before: Promise<void>, reading: Promise<RunSnapshot | undefined>): Promise<void> {
    const [snapshot] = await Promise.all([reading, before]);
    if (snapshot === undefined) return;
    const { columns = 80, rows = 24 } = this.#terminal;
    const lines = liveLines(snapshot, this.#options.nowMs(), { columns, rows, hasColor: this.#options.hasColor });
    const start = this.#up();
    this.#lines = lines;
    this.#terminal.write(`${start}${CLEAR_BELOW}${this.#block()}`);
  }

  #up(): string {
    return this.#lines.length === 0 ? "" : `\u001B[${this.#lines.length}A\r`;
  }

  #block(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}
