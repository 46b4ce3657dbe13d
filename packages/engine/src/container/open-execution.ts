import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import { DEFAULT_LIMITS, type Limits } from "@weft/shared/limits.ts";
import { LOCAL_BACKEND, remotePlaces, type BackendSettings } from "../executor/backends/backend-settings.ts";
import type { BackendPolicy } from "../executor/backends/choose-backend.ts";
import type { Machine } from "../executor/executor.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Log } from "../log.ts";
import { capacityOf } from "../schedule/machine-capacity.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { QuickJsEngine } from "../script/quickjs-engine.ts";
import { Machines, type MachinesByKind } from "./machines.ts";
import type { Containers } from "./containers.ts";
import { openContainers } from "./open-containers.ts";

/** The users' settings for running jobs. */
export interface ExecutionSettings {
  /** Maximum number of concurrent jobs; undefined: as many as cores and memory allow. */
  readonly jobs: number | undefined;
  /** Container engine for tools that request one; absent: the first that works. */
  readonly container?: ContainerSetting;
  /** The backends for jobs; absent if all jobs run on this machine. */
  readonly backend?: BackendSettings | undefined;
  /** Time limit of one expression in milliseconds; absent: the default of the JavaScript engine. */
  readonly evalTimeoutMs?: number | undefined;
  /** The limits. Default: the usual limits. */
  readonly limits?: Limits | undefined;
  readonly log: Log;
}

export interface ExecutionOptions {
  /** Runs jobs on this machine. */
  readonly local: Machine;
  /** True for remote backends that may get jobs, or still have some. */
  readonly opens: (backend: BackendKind, policy: BackendPolicy) => boolean;
  /** Absolute path of the folder that contains one folder per run. */
  readonly runsFolder: string;
  /** Absolute path of the folder for image files. */
  readonly imagesFolder: string;
  /** Reports on container engines and images. */
  readonly containerLog: Log;
  readonly passesOver?: boolean;
  readonly read: Pick<LogReader, "backends">;
}

/** Evaluates expressions, schedules jobs, and runs them. */
export interface Execution {
  readonly scheduler: Scheduler;
  readonly executor: Machines;
  readonly backends: BackendPolicy;
  readonly containers: Containers;
  readonly script: QuickJsEngine;
  readonly limits: Limits;
}

export async function openExecution(settings: ExecutionSettings, options: ExecutionOptions): Promise<Execution> {
  const { container: setting = "auto", backend = LOCAL_BACKEND, limits = DEFAULT_LIMITS, log } = settings;
  const { imagesFolder, containerLog, passesOver = false, read } = options;
  const containers = openContainers({ setting, imagesFolder, log: containerLog, passesOver });
  const machines = await openMachines(backend, options, log);
  return {
    scheduler: new Scheduler(capacityOf(settings.jobs, remotePlaces(backend))),
    executor: new Machines({
      machines,
      backendsOf: (runId) => read.backends(runId),
      engineOf: (kind: ContainerKind) => containers.engine(kind),
      log,
    }),
    backends: backend.policy,
    containers,
    script: new QuickJsEngine(settings.evalTimeoutMs, limits.expressionMemoryBytes),
    limits,
  };
}

/** Loads the modules of a remote backend only when it is opened: `weft run` starts faster without them. */
async function openMachines(
  { policy, slurm, tes }: BackendSettings,
  { local, opens, runsFolder }: Pick<ExecutionOptions, "local" | "opens" | "runsFolder">,
  log: Log,
): Promise<MachinesByKind> {
  const remote: { slurm?: Machine; tes?: Machine } = {};
  if (opens("slurm", policy)) {
    const { openSlurm } = await import("../executor/slurm/slurm-system.ts");
    remote.slurm = openSlurm(slurm, { runsFolder, log });
  }
  if (opens("tes", policy)) {
    const { openTes } = await import("../executor/tes/tes-system.ts");
    remote.tes = openTes(tes, { runsFolder, log });
  }
  return { local, ...remote };
}
