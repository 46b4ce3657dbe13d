import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PeerAnswer, PeerQuestion } from "./peer-table-worker.ts";
import { peerSpellings } from "./peer-user.ts";
import type { ConnectionEnds, PeerSpellings } from "./peer-user.ts";

/** A uid; "job" for a job of this account, "unknown" for a peer that is not listed. */
export type Peer = number | "job" | "unknown";

/** Reads the kernel's tables once for all these connections. The read begins after the call. */
export type ReadPeers = (connections: readonly PeerSpellings[]) => Promise<PeerAnswer["uids"]>;

interface Waiting {
  readonly spellings: PeerSpellings;
  readonly settle: (peer: Peer) => void;
  /** While connections come and go the kernel may skip a line between two pages: who is not found is looked for once more. */
  readonly isSecondLook: boolean;
}

/**
 * Tells the account at the other end of connections within this machine. The kernel's tables are read by one reader, one
 * read after the other, each for all connections that wait at that moment. A connection that arrives during a read waits
 * for the next one: a table that was read before a connection existed may hold an earlier one between the same ports.
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
      this.#waiting.push({ spellings: peerSpellings(ends), settle: resolve, isSecondLook: false });
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
      // Without file descriptors, say, the tables cannot be read: then nobody is identified, and nobody let in.
      const uids = await this.#read(asked.map(({ spellings }) => spellings)).catch(() => []);
      this.#answer(asked, uids);
      // A flood of connections keeps the reader busy for two thirds of the time at most.
      if (this.#waiting.length > 0) await setTimeout((performance.now() - startedMs) / 2);
    }
    this.#isReading = false;
  }

  #answer(asked: readonly Waiting[], uids: PeerAnswer["uids"]): void {
    for (const [index, waiting] of asked.entries()) {
      const uid = uids[index] ?? null;
      if (uid !== null) waiting.settle(uid);
      else if (waiting.isSecondLook) waiting.settle("unknown");
      else this.#waiting.push({ ...waiting, isSecondLook: true });
    }
  }
}

/** A thread that reads the tables: a thousand connections make thousands of reads, which would hold up every request. */
export function startPeerReader(): ReadPeers {
  let worker: Worker | undefined;
  const start = () => {
    const started = new Worker(new URL("./peer-table-worker.ts", import.meta.url));
    // The next read begins with another thread.
    started.once("error", () => (worker = undefined));
    started.unref();
    return started;
  };
  worker = start();
  return (connections) => {
    worker ??= start();
    return askWorker(worker, { connections });
  };
}

function askWorker(worker: Worker, question: PeerQuestion): Promise<PeerAnswer["uids"]> {
  return new Promise((resolve, reject) => {
    const hear = (answer: PeerAnswer | object) => {
      // Node's watch mode sends messages of its own through a worker's port.
      if (!("uids" in answer)) return;
      worker.off("message", hear).off("error", reject);
      resolve(answer.uids);
    };
    worker.on("message", hear).once("error", reject);
    worker.postMessage(question);
  });
}
