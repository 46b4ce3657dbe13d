import { relative } from "node:path";
import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type {
  BegunAttempt,
  Executor,
  JobExit,
  JobName,
  KilledJob,
  KillReport,
  KillTarget,
  Launch,
  RunningJob,
  AttemptState,
} from "../executor/executor.ts";
import { readTail } from "../files/read-tail.ts";
import type { Log } from "../log.ts";
import type { ContainerEngine } from "./container-engine.ts";
import { jobLabel, runLabel } from "./oci-argv.ts";
import { setTimeout as pause } from "node:timers/promises";

export interface ContainerExecutorOptions {
  readonly inner: Executor;
  readonly engineOf: (kind: ContainerKind) => ContainerEngine;
  readonly log: Log;
}

/** The lowest exit code that may be the engine's own, or mean that a signal ended only the engine's program. */
const LOWEST_DOUBTFUL = 125;

/**
 * Wraps another executor and tracks the containers of its jobs. A containerized job is a child of an engine's program,
 * which can be killed while the container keeps running. So this executor looks for the container whenever the
 * program's exit may not be that of the command. The job counts as ended once the engine confirms that nothing is left.
 */
export class ContainerExecutor implements Executor {
  readonly limitsMemory: boolean;
  readonly #options: ContainerExecutorOptions;
  #closed = false;
  /** Running containerized jobs, by run. */
  readonly #running = new Map<string, Map<Launch, ContainerKind>>();
  /** Runs that an earlier server left open, with the engines that started their jobs. */
  readonly #inherited = new Map<string, Set<ContainerKind>>();

  constructor(options: ContainerExecutorOptions) {
    this.limitsMemory = options.inner.limitsMemory === true;
    this.#options = options;
  }

  /** An earlier server may have left containers of a run in this engine. */
  reattachContainers(runId: string, kind: ContainerKind): void {
    const kinds = this.#inherited.get(runId) ?? new Set();
    this.#inherited.set(runId, kinds.add(kind));
  }

  start(launch: Launch): RunningJob {
    return this.#watch(launch, this.#options.inner.start(launch));
  }

  inspect(attempt: BegunAttempt): Promise<AttemptState> {
    return this.#options.inner.inspect(attempt);
  }

  whyWaiting(job: JobName): string | undefined {
    return this.#options.inner.whyWaiting?.(job);
  }

  reattach(launch: Launch): RunningJob {
    return this.#watch(launch, this.#options.inner.reattach(launch));
  }

  async kill(target: KillTarget): Promise<KillReport> {
    const { inner, engineOf } = this.#options;
    const report = await inner.kill(target);
    const label = target.job === undefined ? runLabel(target.runId) : jobLabel({ ...target, ...target.job });
    const removals = await Promise.all(
      [...this.#enginesOf(target.runId)].map((kind) => removeContainers(engineOf(kind), label)),
    );
    if (removals.length === 0) return report;
    const proven = removals.every((removal) => removal.proven);
    const removed = removals.reduce((sum, removal) => sum + removal.removed, 0);
    return {
      ...report,
      proven: report.proven && proven,
      evidence: [...report.evidence, "containers"],
      jobs: removed === 0 ? report.jobs : [...report.jobs, containersOf(target, removed, proven)],
    };
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#options.inner.close();
  }

  #enginesOf(runId: string): Set<ContainerKind> {
    return new Set([...(this.#running.get(runId)?.values() ?? []), ...(this.#inherited.get(runId) ?? [])]);
  }

  #watch(launch: Launch, running: RunningJob): RunningJob {
    const kind = launch.container;
    if (kind === undefined) return running;
    const jobs = this.#running.get(launch.runId) ?? new Map<Launch, ContainerKind>();
    this.#running.set(launch.runId, jobs.set(launch, kind));
    const exit = running.exit
      .then((ended) => this.#settle(launch, this.#options.engineOf(kind), ended))
      .finally(() => this.#forget(launch));
    return { started: running.started, exit };
  }

  #forget(launch: Launch): void {
    const jobs = this.#running.get(launch.runId);
    jobs?.delete(launch);
    if (jobs?.size === 0) this.#running.delete(launch.runId);
  }

  /** What the exit of the engine's program means for the job. */
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
    while (!(await removeContainers(engine, label)).proven && !this.#closed)
      this.#options.log("error", "the container of a job may still exist: its engine does not respond", fields);
    return running.length > 0;
  }
}

/** For a whole run, it is unknown which container belonged to which job. */
function containersOf({ job }: KillTarget, removed: number, proven: boolean): KilledJob {
  return {
    ...(job ?? { jobId: "", attempt: 0 }),
    signals: ["SIGKILL"],
    found: removed,
    killed: removed,
    confirmedMs: proven ? Date.now() : null,
  };
}

/** The engine's program and the job use different resources. */
function withoutUsage(exit: JobExit): JobExit {
  return exit.kind === "exited" ? { ...exit, used: NOTHING_MEASURED } : exit;
}

const POLL_MS = 100;
const GIVE_UP_MS = 10_000;

interface Removal {
  readonly removed: number;
  /** True once the engine itself confirms that nothing with the label is left. */
  readonly proven: boolean;
}

/**
 * Removes every container with a label until the engine lists none. Retries for a while if the engine does not answer,
 * because silence proves nothing.
 */
async function removeContainers(engine: ContainerEngine, label: string): Promise<Removal> {
  const removed = new Set<string>();
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const left = await engine.containers(label, "all").catch(() => undefined);
    if (left?.length === 0) return { removed: removed.size, proven: true };
    if (performance.now() > deadline) return { removed: removed.size, proven: false };
    for (const id of left ?? []) removed.add(id);
    await engine.remove(left ?? []);
    if (left === undefined) await pause(POLL_MS);
  }
}
