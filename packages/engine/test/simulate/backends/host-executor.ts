import {
  NOTHING_MEASURED,
  type AttemptState,
  type BegunAttempt,
  type Machine as JobMachine,
  type JobExit,
  type KillReport,
  type KillTarget,
  type Launch,
  type RunningJob,
} from "../../../src/executor/executor.ts";
import { inspectAttempt } from "../../../src/executor/inspect-attempt.ts";
import { parseGroup } from "../../../src/executor/job-record-text.ts";
import { readClaim, readRecord, readExit, untilClaimedEnds } from "../../../src/executor/job-record.ts";
import { endProcesses } from "../../../src/executor/kill/end-processes.ts";
import { RemainingProcesses } from "../../../src/executor/kill/remaining-processes.ts";
import { writeLaunch } from "../../../src/executor/launch-file.ts";
import { MACHINE_CLOCK } from "../../../src/executor/tracker.ts";
import type { Machine } from "../machine/machine.ts";
import type { LocalHost } from "./local-host.ts";

/** A little more than the time that such processes have. */
const LOOK_AFTER_MS = 5100;

/** Jobs as processes of the simulated machine, for one life of the server. */
export class HostExecutor implements JobMachine {
  readonly #machine: Machine;
  readonly #host: LocalHost;
  readonly #closing = new AbortController();
  readonly #remaining: RemainingProcesses;

  constructor(machine: Machine, host: LocalHost) {
    this.#machine = machine;
    this.#host = host;
    this.#remaining = new RemainingProcesses({
      isLeft: (_, group) => machine.call(() => host.has(group)),
      kill: (target) => this.cancel(target),
      ended: () => {},
      clock: MACHINE_CLOCK,
    });
  }

  submit(launch: Launch): RunningJob {
    const refused = writeLaunch(launch);
    if (refused !== undefined) return { started: Promise.resolve(undefined), exit: Promise.resolve(refused) };
    const started = Promise.withResolvers<string | undefined>();
    const exit = Promise.withResolvers<JobExit>();
    const { process, loop } = this.#machine;
    this.#host.start(launch, ({ kind, ...message }) => {
      const act = () => {
        if (kind === "started" && "pid" in message) started.resolve(String(message.pid));
        if (kind === "started" || kind === "forked") return;
        started.resolve(undefined);
        exit.resolve(kind === "taken" ? this.#watch(launch) : this.#exitOf(launch));
      };
      // The message reaches the server that started the job, if it still lives.
      loop.after(0.05, act, process);
    });
    return { started: started.promise, exit: exit.promise };
  }

  async look({ folder }: BegunAttempt): Promise<AttemptState> {
    return inspectAttempt(folder);
  }

  reattach(launch: Launch): RunningJob {
    const claim = readClaim(launch.folder);
    const started = Promise.resolve(claim === undefined ? undefined : String(claim.pid));
    return { started, exit: this.#watch(launch) };
  }

  cancel(target: KillTarget): Promise<KillReport> {
    const table = {
      evidence: "scans" as const,
      find: async (place: KillTarget) => this.#machine.callLater(() => this.#host.find(place)),
      signal: (pid: number, signal: NodeJS.Signals) => this.#machine.call(() => this.#host.signal(pid, signal)),
    };
    return endProcesses(target, { table, groups: undefined });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#remaining.close();
  }

  async #watch(launch: Launch): Promise<JobExit> {
    await untilClaimedEnds(launch.folder, this.#closing.signal);
    return this.#exitOf(launch);
  }

  /** A program that has outlived its wrapper is ended after a while. */
  #exitOf(launch: Launch): JobExit {
    const group = parseGroup(readRecord(launch.folder));
    if (group !== undefined && this.#host.has(group)) {
      this.#remaining.watch(launch, group);
      setTimeout(() => this.#remaining.look(), LOOK_AFTER_MS);
    }
    return exitOf(launch);
  }
}

function exitOf({ folder }: Launch): JobExit {
  const recorded = readExit(folder);
  if (recorded === undefined) return { kind: "lost" };
  return { kind: "exited", exitCode: recorded.exitCode, used: NOTHING_MEASURED };
}
