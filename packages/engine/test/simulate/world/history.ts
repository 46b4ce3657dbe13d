import { hash } from "node:crypto";
import type { EventLoop } from "../machine/event-loop.ts";

/** The history of a world, one line for each thing, with its virtual time. */
export class History {
  readonly lines: string[] = [];
  readonly #loop: EventLoop;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  note(text: string): void {
    this.lines.push(`${(this.#loop.nowMs / 1000).toFixed(4)} s  ${text}`);
  }

  /** Equal for equal histories. */
  get digest(): string {
    return hash("sha256", `${this.lines.join("\n")}\n${this.#loop.steps}`).slice(0, 16);
  }
}
