import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PeerAnswer, PeerQuestion } from "./peer-table-worker.ts";
import { peerSpellings } from "./peer-user.ts";
import type { ConnectionEnds, PeerSpellings } from "./peer-user.ts";

/** A uid; "job" for a job of this account, "unknown" for a peer that is not listed. */
export type Peer = number | "job" | "unknown";

/** Reads the kernel's tables once for all these connections, and starts after the call. */
export type ReadPeers = (connections: readonly PeerSpellings[]) => Promise<PeerAnswer["uids"]>;

interface Waiting {
  readonly spellings: PeerSpellings;
  readonly settle: (peer: Peer) => void;
  /** While connections come and go, the kernel may skip a line between two pages: search for a missing peer once more. */
  readonly isSecondLook: boolean;
}

/**
 * Finds the account at the other end of connections within this machine. One reader reads the kernel's tables, one read
 * after the other, each for all connections that are waiting at that moment. A connection that arrives during a read waits
 * for the next one: a table from before it existed may list an earlier connection between the same ports.
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
      // If reading fails, for example for lack of file descriptors, the server identifies nobody and lets nobody in.
      const uids = await this.#read(asked.map(({ spellings }) => spellings)).catch(() => []);
      this.#answer(asked, uids);
      // A flood of connections keeps the reader busy at most two thirds of the time.
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

/** Starts a thread that reads the tables: a thousand connections cause thousands of reads, which would delay every request. */
export function startPeerReader(): ReadPeers {
  let worker: Worker | undefined;
  const start = () => {
    const started = new Worker(new URL("./peer-table-worker.ts", import.meta.url));
    // The next read starts another thread.
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
