import { canStamp } from "@weft/engine/executor/kill/job-stamp.ts";
import { linkOf, namesIn, textOf } from "@weft/engine/executor/process-files.ts";

/** Number of remembered processes that held one of the last sockets. */
const MAX_RECENT = 16;

/**
 * Maximum number of open files that one search checks: a search through all processes of a large machine costs more
 * than the full check.
 */
const MAX_FILES = 2000;

/**
 * Finds sockets held by a process that is certainly not a job: its limit on file locks is unset, which the stamp of a
 * job sets permanently, and its environment names no job. These do not need the check of all processes (`jobSockets`).
 * Looks first at the processes that held the last sockets, then at the newest ones.
 */
export class SocketHolders {
  readonly #proc: string;
  readonly #mostFiles: number;
  #recent: readonly string[] = [];

  /** `proc`: the folder in which the kernel shows processes. */
  constructor(proc = "/proc", mostFiles = MAX_FILES) {
    this.#proc = proc;
    this.#mostFiles = mostFiles;
  }

  /** The sockets (inodes) that such a process holds. */
  vouchedFor(inodes: readonly string[]): ReadonlySet<string> {
    const sockets = new Map(inodes.map((inode) => [`socket:[${inode}]`, inode]));
    const found = new Set<string>();
    let files = 0;
    for (const pid of this.#candidates()) {
      if (sockets.size === 0 || files >= this.#mostFiles) break;
      const names = namesIn(`${this.#proc}/${pid}/fd`);
      files += 1;
      if (files + names.length > this.#mostFiles) continue;
      files += names.length;
      const held = this.#heldBy(pid, names, sockets);
      if (held.length === 0 || !this.#isNoJob(pid)) continue;
      this.#recent = [pid, ...this.#recent.filter((other) => other !== pid)].slice(0, MAX_RECENT);
      for (const socket of held) {
        found.add(sockets.get(socket) ?? "");
        sockets.delete(socket);
      }
    }
    return found;
  }

  *#candidates(): Generator<string> {
    const recent = this.#recent;
    yield* recent;
    const others = namesIn(this.#proc).filter((name) => /^\d+$/.test(name) && !recent.includes(name));
    yield* others.toSorted((one, other) => Number(other) - Number(one));
  }

  #heldBy(pid: string, names: readonly string[], sockets: ReadonlyMap<string, string>): readonly string[] {
    const held = new Set<string>();
    for (const name of names) {
      if (held.size === sockets.size) break;
      const target = linkOf(`${this.#proc}/${pid}/fd/${name}`);
      if (target !== undefined && sockets.has(target)) held.add(target);
    }
    return [...held];
  }

  /**
   * Call this after looking at the open files of the process. A job never loses its stamp, and no pid is reused within
   * microseconds, so the result applies to the process that held the socket. A process that has ended meanwhile has an
   * empty environment.
   */
  #isNoJob(pid: string): boolean {
    const environment = textOf(`${this.#proc}/${pid}/environ`);
    return environment !== "" && !environment.includes("WEFT_JOB=") && canStamp(textOf(`${this.#proc}/${pid}/limits`));
  }
}
