import { existsSync, readFileSync } from "node:fs";
import type { Launch, LaunchBox } from "./executor.ts";
import { SupervisorClient } from "./supervisor-client.ts";
import type { SupervisorListener } from "./supervisor-client.ts";

/** The kernel's list of mounts for this process. */
const MOUNTS = "/proc/self/mountinfo";
const LOOK_EVERY_MS = 250;

export interface BoxSupervisorsOptions {
  readonly readMounts: () => string;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

const MACHINE: BoxSupervisorsOptions = {
  readMounts: () => (existsSync(MOUNTS) ? readFileSync(MOUNTS, "latin1") : ""),
  now: () => performance.now(),
};

/**
 * The supervisors that start sandboxed programs, one per command line. A supervisor sees the mounts that existed when it
 * started, so a new one replaces it after a change; the old one ends with its last job.
 */
export class BoxSupervisors {
  readonly #options: BoxSupervisorsOptions;
  readonly #clients = new Map<string, SupervisorClient>();
  readonly #retired = new Set<Promise<void>>();
  #mounts: string | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options = MACHINE) {
    this.#options = options;
  }

  /** As `start` of SupervisorClient. */
  start({ folder }: Pick<Launch, "folder">, { supervisor, key }: LaunchBox, listener: SupervisorListener): () => void {
    this.#lookAtMounts();
    const name = supervisor.join("\0");
    const client = this.#clients.get(name) ?? new SupervisorClient(supervisor);
    this.#clients.set(name, client);
    return client.start(folder, key, listener);
  }

  endIdle(): void {
    for (const client of this.#clients.values()) client.endIdle();
  }

  async close(): Promise<void> {
    this.#retireAll();
    await Promise.all(this.#retired);
  }

  #lookAtMounts(): void {
    const { readMounts, now } = this.#options;
    if (now() - this.#lookedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = now();
    const mounts = readMounts();
    if (this.#mounts !== undefined && this.#mounts !== mounts) this.#retireAll();
    this.#mounts = mounts;
  }

  #retireAll(): void {
    for (const client of this.#clients.values()) {
      const closing = client.close();
      this.#retired.add(closing);
      void closing.finally(() => this.#retired.delete(closing));
    }
    this.#clients.clear();
  }
}
