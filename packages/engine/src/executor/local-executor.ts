import { claimLives, readClaim, watchClaimed } from "./job-record.ts";
import type { Executor, JobExit, KillReport, KillTarget, Launch, RunningJob } from "./executor.ts";
import { markerText, markerTexts } from "./job-marker.ts";
import { parseExit } from "./job-record-text.ts";
import { RunnerClient } from "./runner-client.ts";
import type { RunnerAnswer } from "./runner-protocol.ts";

/** Jobs as local processes, started by the runner process, each in a process group of its own. */
export class LocalExecutor implements Executor {
  readonly kind = "local";
  readonly #runner = new RunnerClient();
  readonly #closing = new AbortController();

  constructor() {
    this.#runner.warm();
  }

  start(launch: Launch): RunningJob {
    const started = Promise.withResolvers<string | undefined>();
    const exit = Promise.withResolvers<JobExit>();
    this.#runner.start(launch, (answer) => {
      if (answer.op === "started") started.resolve(String(answer.pid));
      else {
        started.resolve(undefined);
        exit.resolve(this.#exitOf(launch, answer));
      }
    });
    return { started: started.promise, exit: exit.promise };
  }

  adopt(launch: Launch): RunningJob {
    return { started: this.#tellOf(launch), exit: watchClaimed(launch.folder, this.#closing.signal) };
  }

  kill(target: KillTarget): Promise<KillReport> {
    return this.#runner.kill(markerText(target), target.graceMs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#runner.close();
  }

  async #tellOf(launch: Launch): Promise<string | undefined> {
    const claim = await readClaim(launch.folder);
    if (claim === undefined) return undefined;
    if (await claimLives(claim)) this.#runner.adopt(claim.pid, markerTexts(launch));
    return String(claim.pid);
  }

  async #exitOf(launch: Launch, answer: RunnerAnswer | { readonly op: "gone" }): Promise<JobExit> {
    if (answer.op === "rejected") return { kind: "rejected", message: answer.message };
    if (answer.op === "gone" || answer.op === "taken") return watchClaimed(launch.folder, this.#closing.signal);
    const record = parseExit(answer.op === "ended" ? answer.record : "");
    return record === undefined ? { kind: "lost" } : { kind: "exited", ...record };
  }
}
