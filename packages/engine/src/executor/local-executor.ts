import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Executor, JobExit, KillReport, KillTarget, Launch, RunningJob } from "./executor.ts";
import { groupTable } from "./group-table.ts";
import { markerText, markerTexts } from "./job-marker.ts";
import { claimLives, readClaim, readExit, watchClaimed } from "./job-record.ts";
import { launchScript } from "./job-supervisor.ts";
import { killMarked } from "./kill-marked.ts";
import type { ProcessTable } from "./kill-marked.ts";
import { ProcScanner } from "./proc-scanner.ts";
import { SupervisorClient } from "./supervisor-client.ts";
import { WrapperTable } from "./wrapper-table.ts";

/** How often is looked whether a wrapper was killed, which then cannot say that it ended. */
const LOOK_EVERY_MS = 250;

/** Jobs as local processes, started by one shell, each in a process group of its own. */
export class LocalExecutor implements Executor {
  readonly kind = "local";
  readonly #supervisor = new SupervisorClient();
  readonly #wrappers = new WrapperTable();
  readonly #scanner = new ProcScanner();
  readonly #table: ProcessTable;
  readonly #closing = new AbortController();
  readonly #look: NodeJS.Timeout;

  constructor() {
    this.#supervisor.warm();
    this.#table = existsSync("/proc/self/environ")
      ? this.#wrappers.with(this.#scanner.table)
      : groupTable((marker) => this.#wrappers.of(marker));
    this.#look = setInterval(() => this.#wrappers.forgetGone(), LOOK_EVERY_MS).unref();
  }

  start(launch: Launch): RunningJob {
    const refused = writeLaunch(launch);
    if (refused !== undefined) return { started: Promise.resolve(undefined), exit: Promise.resolve(refused) };
    const started = Promise.withResolvers<string | undefined>();
    const exit = Promise.withResolvers<JobExit>();
    const end = (how: JobExit | Promise<JobExit>) => {
      started.resolve(undefined);
      exit.resolve(how);
    };
    let nativeId: string | undefined;
    const wrapper = { markers: markerTexts(launch), gone: () => end(exitOf(launch)) };
    this.#supervisor.start(launch.folder, (news) => {
      switch (news.kind) {
        case "forked":
          nativeId = String(news.pid);
          this.#wrappers.add(news.pid, wrapper);
          return;
        case "started":
          started.resolve(nativeId);
          return;
        case "ended":
          this.#wrappers.drop(wrapper);
          return end(exitOf(launch));
        case "taken":
          this.#wrappers.drop(wrapper);
          return end(watchClaimed(launch.folder, this.#closing.signal));
        case "rejected":
          return end(news);
      }
    });
    return { started: started.promise, exit: exit.promise };
  }

  adopt(launch: Launch): RunningJob {
    return { started: Promise.resolve(this.#takeUp(launch)), exit: watchClaimed(launch.folder, this.#closing.signal) };
  }

  kill(target: KillTarget): Promise<KillReport> {
    return killMarked(markerText(target), target.graceMs, this.#table);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#look);
    await this.#supervisor.close();
    await this.#scanner.close();
  }

  /** The wrapper of an earlier server's job is to be ended with it. */
  #takeUp(launch: Launch): string | undefined {
    const claim = readClaim(launch.folder);
    if (claim === undefined) return undefined;
    if (claimLives(claim)) this.#wrappers.add(claim.pid, { markers: markerTexts(launch) });
    return String(claim.pid);
  }
}

/** Of a job that has ended: a record that cannot be read says as little as one that is not there. */
function exitOf(launch: Launch): JobExit {
  try {
    return readExit(launch.folder) ?? { kind: "lost" };
  } catch {
    return { kind: "lost" };
  }
}

/** Why the job cannot be started, if so. The file of an earlier start of the same attempt says the same and stays. */
function writeLaunch(launch: Launch): JobExit | undefined {
  if ([...launch.argv, ...Object.values(launch.env)].some((text) => text.includes("\0")))
    return { kind: "rejected", message: "an argument or environment variable holds a zero byte" };
  try {
    writeFileSync(join(launch.folder, "launch"), launchScript(launch), { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") return { kind: "rejected", message: String(error), isDiskFull: code === "ENOSPC" };
  }
  return undefined;
}
