import { once } from "node:events";
import { startServer, type Served } from "./serving.ts";

/**
 * Runs in the server: records the longest turn of its event loop, for which every client waits. Processor time is the same
 * on a busy machine; time on the clock is not.
 */
const PROBE = `
import { isMainThread } from "node:worker_threads";
if (isMainThread) {
  let longestTurnMs = 0;
  let before = process.threadCpuUsage();
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000);
    before = process.threadCpuUsage();
    setTimeout(measure, 1).unref();
  };
  measure();
  process.on("message", () => {
    process.send({ longestTurnMs, peakBytes: process.resourceUsage().maxRSS * 1024 });
    longestTurnMs = 0;
  });
  process.channel.unref();
}
`;

interface Load {
  /** Processor time of the longest turn since the last request for the load. */
  readonly longestTurnMs: number;
  /** The most memory that the server has used since its start. */
  readonly peakBytes: number;
}

/** A separate server, whose memory and turns are watched while it is attacked. */
export class WatchedServer {
  readonly served: Served;

  private constructor(served: Served) {
    this.served = served;
  }

  static async start(args: readonly string[]): Promise<WatchedServer> {
    return new WatchedServer(await startServer(args, { probe: PROBE }));
  }

  get address(): string {
    return this.served.address;
  }

  async watch<Value>(act: () => Promise<Value>): Promise<Load & { readonly value: Value }> {
    await this.load();
    const value = await act();
    return { value, ...(await this.load()) };
  }

  /** Resources that the server used since the last call. */
  async load(): Promise<Load> {
    this.served.child.send("load");
    const [load] = (await once(this.served.child, "message")) as [Load]; // as the probe sends it
    return load;
  }
}
