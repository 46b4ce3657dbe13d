import type { ProcessTable } from "./kill-marked.ts";

interface Wrapper {
  readonly markers: readonly string[];
  /** Told once when the process is gone without having said so. */
  readonly gone?: () => void;
}

/**
 * The wrappers that run now. A wrapper is a fork of the supervisor, so its environment shows no marker; it must be ended
 * with its job all the same, lest it starts the program after everybody has looked.
 */
export class WrapperTable {
  readonly #wrappers = new Map<number, Wrapper>();
  readonly #pids = new Map<Wrapper, number>();

  add(pid: number, wrapper: Wrapper): void {
    this.#wrappers.set(pid, wrapper);
    this.#pids.set(wrapper, pid);
  }

  /** It has said that it ends: its process id may be given to another process from now on. */
  drop(wrapper: Wrapper): void {
    const pid = this.#pids.get(wrapper);
    if (pid !== undefined) this.#wrappers.delete(pid);
    this.#pids.delete(wrapper);
  }

  /** Process ids of the living ones of a marker. */
  of(marker: string): readonly number[] {
    return [...this.#wrappers]
      .filter(([pid, { markers }]) => markers.includes(marker) && lives(pid))
      .map(([pid]) => pid);
  }

  /** Drops what has ended; one that was killed could not say so itself. */
  forgetGone(): void {
    for (const [pid, wrapper] of this.#wrappers) {
      if (lives(pid)) continue;
      this.drop(wrapper);
      wrapper.gone?.();
    }
  }

  /** A process table in which the wrappers count as marked; what is in a wrapper's group is killed with it. */
  with(table: ProcessTable): ProcessTable {
    return {
      marked: async (marker) => {
        const found = await table.marked(marker);
        return [...new Set([...this.of(marker), ...found])];
      },
      signal: (pid, signal) => table.signal(signal === "SIGKILL" && this.#wrappers.has(pid) ? -pid : pid, signal),
    };
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
