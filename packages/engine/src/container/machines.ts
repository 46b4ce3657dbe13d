import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type {
  AttemptState,
  BegunAttempt,
  JobName,
  KillReport,
  KillTarget,
  Launch,
  Machine,
  RunningJob,
} from "../executor/executor.ts";
import { mergeReports } from "../executor/tracker.ts";
import { ContainerJobs, type ContainerJobsOptions } from "./container-jobs.ts";

/** The machines to which jobs may be sent. */
export interface MachinesByKind extends Readonly<Partial<Record<BackendKind, Machine>>> {
  readonly local: Machine;
}

export interface MachinesOptions extends ContainerJobsOptions {
  readonly machines: MachinesByKind;
  /** The backends where any server has started jobs of a run. */
  readonly backendsOf: (runId: string) => readonly BackendKind[];
}

/** Sends each job to its machine. Cancels a run wherever its jobs ran, by the log; then its containers. */
export class Machines implements Machine {
  readonly limitsMemory: boolean;
  readonly containers: ContainerJobs;
  readonly #options: MachinesOptions;

  constructor(options: MachinesOptions) {
    this.limitsMemory = options.machines.local.limitsMemory === true;
    this.containers = new ContainerJobs(options);
    this.#options = options;
  }

  submit(launch: Launch): RunningJob {
    return this.containers.watch(launch, this.#of(launch.backend).submit(launch));
  }

  look(attempt: BegunAttempt): Promise<AttemptState> {
    return this.#of(attempt.backend).look(attempt);
  }

  reattach(launch: Launch): RunningJob {
    return this.containers.watch(launch, this.#of(launch.backend).reattach(launch));
  }

  whyWaiting(job: JobName): string | undefined {
    for (const machine of this.#all()) {
      const why = machine.whyWaiting?.(job);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  async cancel(target: KillTarget): Promise<KillReport> {
    const kinds = new Set<BackendKind>(["local", ...this.#options.backendsOf(target.runId)]);
    const reports = await Promise.all([...kinds].map((kind) => this.#of(kind).cancel(target)));
    return mergeReports([...reports, ...(await this.containers.cancel(target))]);
  }

  async close(): Promise<void> {
    this.containers.close();
    const [local, ...remote] = this.#all();
    await Promise.all(remote.map((machine) => machine.close()));
    await local.close();
  }

  #all(): readonly [Machine, ...Machine[]] {
    const { local, slurm, tes } = this.#options.machines;
    return [local, ...[slurm, tes].filter((machine) => machine !== undefined)];
  }

  #of(kind: BackendKind): Machine {
    const machine = this.#options.machines[kind];
    if (machine === undefined) throw new Error(`a job was sent to ${kind}, which is not allowed`);
    return machine;
  }
}
