import { relative } from "node:path";
import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import {
  NOTHING_MEASURED,
  type JobExit,
  type JobSelector,
  type KillReport,
  type Launch,
  type RunningJob,
} from "../executor/executor.ts";
import { jobName } from "../executor/job-marker.ts";
import { endAll, untilProven, type Remains, type Remnant } from "../executor/tracker.ts";
import { readTail } from "../files/read-tail.ts";
import type { Log } from "../log.ts";
import type { ContainerEngine } from "./container-engine.ts";
import { jobLabel, runLabel } from "./oci-argv.ts";

export interface ContainerJobsOptions {
  readonly engineOf: (kind: ContainerKind) => ContainerEngine;
  readonly log: Log;
}

/** The lowest exit code that may be the engine's own, or mean that a signal ended only the engine's program. */
const LOWEST_DOUBTFUL = 125;
/** The engines' programs have already had the grace time. */
const AT_ONCE = { graceMs: 0 };

/**
 * The containers of jobs. A containerized job is a child of an engine's program, which can be killed while the container
 * keeps running. So this looks for the container whenever the program's exit may not be that of the command. The job
 * counts as ended once the engine confirms that nothing is left.
 */
export class ContainerJobs {
  readonly #options: ContainerJobsOptions;
  #closed = false;
  /** Running containerized jobs, by run. */
  readonly #running = new Map<string, Map<Launch, ContainerKind>>();
  /** Runs that an earlier server left open, with the engines that started their jobs. */
  readonly #inherited = new Map<string, Set<ContainerKind>>();

  constructor(options: ContainerJobsOptions) {
    this.#options = options;
  }

  /** An earlier server may have left containers of a run in this engine. */
  inherit(runId: string, kind: ContainerKind): void {
    const kinds = this.#inherited.get(runId) ?? new Set();
    this.#inherited.set(runId, kinds.add(kind));
  }

  /** The job to which an engine's program belongs. */
  watch(launch: Launch, running: RunningJob): RunningJob {
    const kind = launch.container;
    if (kind === undefined) return running;
    const jobs = this.#running.get(launch.runId) ?? new Map<Launch, ContainerKind>();
    this.#running.set(launch.runId, jobs.set(launch, kind));
    const exit = running.exit
      .then((ended) => this.#settle(launch, this.#options.engineOf(kind), ended))
      .finally(() => this.#forget(launch));
    return { started: running.started, exit };
  }

  /** Removes remaining containers after the engines' programs have ended. Returns one report for each engine. */
  cancel({ runId, job }: JobSelector): Promise<readonly KillReport[]> {
    const kinds = new Set([...(this.#running.get(runId)?.values() ?? []), ...(this.#inherited.get(runId) ?? [])]);
    const label = job === undefined ? runLabel(runId) : jobLabel({ runId, ...job });
    return Promise.all([...kinds].map((kind) => endAll(labeled(this.#options.engineOf(kind), label, job), AT_ONCE)));
  }

  close(): void {
    this.#closed = true;
  }

  #forget(launch: Launch): void {
    const jobs = this.#running.get(launch.runId);
    jobs?.delete(launch);
    if (jobs?.size === 0) this.#running.delete(launch.runId);
  }

  /** The meaning of the engine's exit for the job. */
  async #settle(launch: Launch, engine: ContainerEngine, exit: JobExit): Promise<JobExit> {
    // A shutting-down executor reports the job as lost although it keeps running.
    if (this.#closed) return exit;
    if (exit.kind === "rejected" || (exit.kind === "exited" && exit.exitCode === 0)) return withoutUsage(exit);
    const tail = (await readTail(launch.folder, relative(launch.folder, launch.stderr))) ?? "";
    const own = exit.kind === "exited" ? engine.ownFailure(exit.exitCode, tail) : undefined;
    const outlived =
      exit.kind === "lost" || exit.exitCode >= LOWEST_DOUBTFUL ? await this.#endRest(launch, engine) : false;
    if (own !== undefined) return { kind: "rejected", message: own };
    return outlived ? { kind: "lost" } : withoutUsage(exit);
  }

  /** True if the container still ran without the program that should report its end. */
  async #endRest(launch: Launch, engine: ContainerEngine): Promise<boolean> {
    const label = jobLabel(launch);
    const running = await engine.containers(label, "running").catch(() => []);
    const fields = { run_id: launch.runId, job_id: launch.jobId, engine: engine.kind };
    if (running.length > 0)
      this.#options.log(
        "warn",
        "the container of a job was removed after its engine's program had been killed",
        fields,
      );
    await untilProven(
      () => endAll(labeled(engine, label), AT_ONCE),
      () => this.#closed,
      () => this.#options.log("error", "the container of a job may still exist: its engine does not respond", fields),
    );
    return running.length > 0;
  }
}

/** The engine's program and the job use different resources. */
function withoutUsage(exit: JobExit): JobExit {
  return exit.kind === "exited" ? { ...exit, used: NOTHING_MEASURED } : exit;
}

/**
 * The remaining containers with a label, which can be killed and removed. `job`: the attempt, if only one has such
 * containers.
 */
function labeled(engine: ContainerEngine, label: string, job?: JobSelector["job"]): Remains<Remnant & { id: string }> {
  const jobs = [job === undefined ? "" : jobName(job)];
  return {
    evidence: ["containers"],
    pauseMs: { found: 100, empty: 2 },
    async look() {
      const ids = await engine.containers(label, "all").catch(() => undefined);
      return { found: (ids ?? []).map((id) => ({ id, jobs })), isWhole: ids !== undefined };
    },
    async end(found) {
      await engine.remove(found.map(({ id }) => id));
      return { SIGKILL: found };
    },
  };
}
