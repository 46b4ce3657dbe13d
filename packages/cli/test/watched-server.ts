import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { startServer } from "./serving.ts";
import type { Served } from "./serving.ts";

/** Asks again and again, in a thread of its own, so that nothing else that the test does delays a question. */
const ASKER = `
const { workerData, parentPort } = require("node:worker_threads");
const EVERY_MS = 20;
let isOver = false;
parentPort.once("message", () => (isOver = true));
(async () => {
  const took = [];
  while (!isOver) {
    const startMs = performance.now();
    const answer = await fetch(workerData);
    await answer.arrayBuffer();
    took.push(answer.ok ? performance.now() - startMs : Infinity);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  parentPort.postMessage(took);
})();
`;

export interface Watched<Value> {
  readonly value: Value;
  /** The longest that another client waited for its status. */
  readonly slowestMs: number;
  /** The most memory that the server had. */
  readonly peakBytes: number;
}

/** A server of its own, whose memory and answers are watched while it is attacked. */
export class WatchedServer {
  readonly served: Served;
  readonly #statusUrl: string;

  private constructor(served: Served, statusUrl: string) {
    this.served = served;
    this.#statusUrl = statusUrl;
  }

  /** `statusOf` answers the id of the run that the other client asks about. */
  static async start(args: readonly string[], statusOf: (address: string) => Promise<string>): Promise<WatchedServer> {
    const served = await startServer(args, { direct: true });
    const runId = await statusOf(served.address);
    return new WatchedServer(served, `${served.address}/api/runs/${runId}/status`);
  }

  get address(): string {
    return this.served.address;
  }

  async watch<Value>(act: () => Promise<Value>): Promise<Watched<Value>> {
    const asker = new Worker(ASKER, { eval: true, workerData: this.#statusUrl });
    let peakBytes = this.#memory();
    const timer = setInterval(() => (peakBytes = Math.max(peakBytes, this.#memory())), 10);
    try {
      const value = await act();
      const took = new Promise<readonly number[]>((resolve) => asker.once("message", resolve));
      asker.postMessage("over");
      return { value, slowestMs: Math.max(...(await took)), peakBytes };
    } finally {
      clearInterval(timer);
      await asker.terminate();
    }
  }

  #memory(): number {
    const status = readFileSync(`/proc/${this.served.child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
  }
}
