import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type {
  BegunAttempt,
  Executor,
  JobName,
  KillReport,
  KillTarget,
  Launch,
  RunningJob,
  AttemptState,
} from "./executor.ts";
import { mergeReports } from "./tracker.ts";

/** The backends to which jobs may be sent. */
export interface Backends extends Readonly<Partial<Record<BackendKind, Executor>>> {
  readonly local: Executor;
}

/**
 * Sends each job to the executor of its backend. Operations on a run go to every backend where the log says that its
 * jobs ran.
 */
export class BackendExecutor implements Executor {
  readonly limitsMemory: boolean;
  readonly #backends: Backends;
  readonly #backendsOf: (runId: string) => readonly BackendKind[];

  /** `backendsOf`: the backends where any server has started jobs of a run. */
  constructor(backends: Backends, backendsOf: (runId: string) => readonly BackendKind[]) {
    this.limitsMemory = backends.local.limitsMemory === true;
    this.#backends = backends;
    this.#backendsOf = backendsOf;
  }

  start(launch: Launch): RunningJob {
    return this.#of(launch.backend).start(launch);
  }

  inspect(attempt: BegunAttempt): Promise<AttemptState> {
    return this.#of(attempt.backend).inspect(attempt);
  }

  reattach(launch: Launch): RunningJob {
    return this.#of(launch.backend).reattach(launch);
  }

  whyWaiting(job: JobName): string | undefined {
    const { local, slurm, tes } = this.#backends;
    return local.whyWaiting?.(job) ?? slurm?.whyWaiting?.(job) ?? tes?.whyWaiting?.(job);
  }

  async kill(target: KillTarget): Promise<KillReport> {
    const used = this.#backendsOf(target.runId).filter((kind) => kind !== "local");
    const executors = [this.#backends.local, ...used.map((kind) => this.#of(kind))];
    return mergeReports(await Promise.all(executors.map((executor) => executor.kill(target))));
  }

  async close(): Promise<void> {
    const { local, slurm, tes } = this.#backends;
    await Promise.all([slurm?.close(), tes?.close()]);
    await local.close();
  }

  #of(kind: BackendKind): Executor {
    const executor = this.#backends[kind];
    if (executor === undefined) throw new Error(`a job was sent to ${kind}, which is not allowed`);
    return executor;
  }
}
