/** The settings for a site's Slurm. */
export interface SlurmSettings {
  /** Default: the site's default partition. */
  readonly partition?: string | undefined;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
  /** The option for requesting memory, which differs between sites. */
  readonly memory: MemoryOption;
  /** Additional sbatch options, one argument each, which come last and take precedence. */
  readonly options: readonly string[];
  /** Names looked up in PATH, or absolute paths. */
  readonly commands: SlurmCommands;
  /** Time between two polls of the queue. */
  readonly pollMs: number;
  /** Maximum number of jobs at Slurm, including pending ones. */
  readonly maxJobs: number;
  /** Maximum number of tasks per array; Slurm's own limit is MaxArraySize. */
  readonly arraySize: number;
  /** The maximum time until files that another machine wrote become visible on this machine. */
  readonly latencyMs: number;
  /** Which jobs share an array task; absent: none. */
  readonly pack?: PackSettings | undefined;
}

/** `--mem`, `--mem-per-cpu`, or neither; then each job gets the site's default. */
export const MEMORY_OPTIONS = ["job", "cpu", "none"] as const;
export type MemoryOption = (typeof MEMORY_OPTIONS)[number];

/** Jobs with short time limits run one after the other in one task. */
export interface PackSettings {
  /** Maximum per task. */
  readonly jobs: number;
  /** Maximum sum of the time limits in a task. */
  readonly seconds: number;
}

export interface SlurmCommands {
  readonly sbatch: string;
  readonly squeue: string;
  readonly scancel: string;
  readonly sacct: string;
}

export const DEFAULT_SLURM: SlurmSettings = {
  memory: "job",
  options: [],
  commands: { sbatch: "sbatch", squeue: "squeue", scancel: "scancel", sacct: "sacct" },
  pollMs: 5000,
  maxJobs: 1000,
  arraySize: 500,
  latencyMs: 30_000,
};
