import { setTimeout } from "node:timers/promises";
import { ThreadPool } from "@weft/engine/async/thread-pool.ts";
import type { ConnectionEnds } from "./connection-ends.ts";
import type { FoundUids, Wanted } from "./find-peers.ts";

/** A uid; "job" for a job of this account, "closed" for nobody any more, "unknown" for a peer that is not listed. */
export type Peer = number | "job" | "closed" | "unknown";

/** Looks once for the peers of all these connections, and starts after the call. */
export type ReadPeers = (connections: readonly Wanted[]) => Promise<FoundUids>;

/**
 * While connections come and go, the kernel may skip a line of a table between two pages: search for a missing peer
 * again.
 */
interface Waiting extends Wanted {
  readonly settle: (peer: Peer) => void;
}

/** A flood of connections keeps a reader that reads the kernel's tables busy at most two thirds of the time. */
const LONG_READ_MS = 3;

/**
 * Finds the account at the other end of connections within this machine. One reader queries the kernel, one lookup
 * after the other, each for all connections that are waiting at that moment. A connection that arrives during a lookup
 * waits for the next one: an earlier answer may belong to an earlier connection between the same ports.
 */
export class PeerTable {
  readonly #read: ReadPeers;
  #waiting: Waiting[] = [];
  #isReading = false;

  constructor(read: ReadPeers) {
    this.#read = read;
  }

  find(ends: ConnectionEnds): Promise<Peer> {
    return new Promise((resolve) => {
      this.#waiting.push({ ends, settle: resolve, isSecondLook: false });
      if (this.#isReading) return;
      this.#isReading = true;
      // Connections that were accepted in this turn of the loop share the read.
      setImmediate(() => void this.#readAll());
    });
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const startedMs = performance.now();
      const asked = this.#waiting;
      this.#waiting = [];
      // If reading fails, for example for lack of file descriptors, the server identifies and accepts no peers.
      const uids = await this.#read(asked.map(({ ends, isSecondLook }) => ({ ends, isSecondLook }))).catch(() => []);
      const tookMs = performance.now() - startedMs;
      this.#answer(asked, uids);
      if (this.#waiting.length > 0 && tookMs > LONG_READ_MS) await setTimeout(tookMs / 2);
    }
    this.#isReading = false;
  }

  #answer(asked: readonly Waiting[], uids: FoundUids): void {
    for (const [index, waiting] of asked.entries()) {
      const uid = uids[index] ?? null;
      if (uid !== null) waiting.settle(uid);
      else if (waiting.isSecondLook) waiting.settle("unknown");
      else this.#waiting.push({ ...waiting, isSecondLook: true });
    }
  }
}

/** Also takes the accounts that the server answers. */
export type PeerReader = (connections: readonly Wanted[], accepted: readonly number[]) => Promise<FoundUids>;

/**
 * Starts a thread that queries the kernel: a thousand connections cause thousands of reads, which would delay every
 * request.
 */
export function startPeerReader(): PeerReader {
  const thread = new ThreadPool({
    script: new URL("./peer-table-worker.ts", import.meta.url),
    width: 1,
    // The pinned Node warns about its foreign function interface; users of the server cannot change that.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const read: PeerReader = async (connections, accepted) =>
    // The thread returns the value of its function (peer-table-worker.ts), but messages are untyped.
    (await thread.ask({ queue: "", task: "find", args: [connections, accepted] })) as FoundUids;
  // Starts the thread before the first connection arrives, which asks again if that fails.
  read([], []).catch(() => []);
  return read;
}
