/** How a site's Slurm is spoken to. */
export interface SlurmSettings {
  /** Absent: the site's default. */
  readonly partition?: string | undefined;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
  /** What memory is asked for by: sites differ in what they allow. */
  readonly memory: MemoryOption;
  /** Further options of sbatch, each one word; they come last, so they win. */
  readonly options: readonly string[];
  /** Names found by PATH, or absolute paths. */
  readonly commands: SlurmCommands;
  /** Between two looks at the queue. */
  readonly pollMs: number;
  /** Jobs that are with Slurm at once, waiting ones included. */
  readonly maxJobs: number;
  /** Tasks of one array, at most; Slurm's own bound is MaxArraySize. */
  readonly arraySize: number;
  /** So long is waited for what another machine wrote to become visible here. */
  readonly latencyMs: number;
  /** Which jobs share one task of an array; absent: none. */
  readonly pack?: PackSettings | undefined;
}

/** `--mem`, `--mem-per-cpu`, or neither: then each job gets the site's default. */
export const MEMORY_OPTIONS = ["job", "cpu", "none"] as const;
export type MemoryOption = (typeof MEMORY_OPTIONS)[number];

/** Jobs that say by their time limit that they are short run one after another in one task. */
export interface PackSettings {
  /** Per task, at most. */
  readonly jobs: number;
  /** The most that the time limits of a task's jobs may add up to. */
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
