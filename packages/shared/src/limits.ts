/**
 * Every limit that an operator can change. They bound the work and memory that a client, a document or a job can cost.
 * The defaults, `--limit NAME=N`, the key `limit` in weft.config.json and docs/reference/limits.md come from this table.
 */
interface LimitDeclaration {
  readonly default: number;
  /** The minimum. Default: 1. */
  readonly least?: 0;
  readonly unit: string;
  /** The quantity that the limit bounds, and the effect of exceeding it. */
  readonly description: string;
}

export const LIMITS = {
  jobsPerScatter: {
    default: 100_000,
    unit: "jobs",
    description: "Jobs of one scattered step. Weft counts them before it creates any; the step fails.",
  },
  jobsPerRun: {
    default: 1_000_000,
    unit: "jobs",
    description: "Jobs of one run over all its steps. The step that exceeds the limit fails.",
  },
  valueItems: {
    default: 2_000_000,
    unit: "values",
    description:
      "Values (elements, fields and everything inside them) of one input object, expression or output object.",
  },
  requestValues: {
    default: 200_000,
    unit: "values",
    description:
      "Values in the JSON of one request (elements and fields). Weft counts them before it parses the JSON, and refuses the request.",
  },
  listingEntries: {
    default: 100_000,
    unit: "entries",
    description: "Entries of one directory listing, at all depths. Weft lists each directory only once.",
  },
  outputObjectBytes: {
    default: 16 * 1024 ** 2,
    unit: "bytes",
    description: "Size of a `cwl.output.json`. The job fails.",
  },
  loadedContentBytes: {
    default: 64 * 1024 ** 2,
    unit: "bytes",
    description:
      "Text that `loadContents` loads for one input object, output object or step. Weft reads no file beyond the limit.",
  },
  formBytes: {
    default: 64 * 1024 ** 2,
    unit: "bytes",
    description: "Total size of the text fields of one multipart form. Attachments stream to disk and do not count.",
  },
  expressionMemoryBytes: {
    default: 64 * 1024 ** 2,
    unit: "bytes",
    description:
      "Memory of one expression (with its inputs and typed arrays) and its interpreter; at least 16 MiB. The expression fails with `EXPRESSION`.",
  },
  jobProcesses: {
    default: 4096,
    unit: "processes",
    description:
      "Processes and threads of one job on the server's machine. Weft ends a job that has more. Where control groups or the sandbox of an ordinary account allow it, the kernel refuses more than 1.25 times as many.",
  },
  jobOpenFiles: {
    default: 65_536,
    unit: "files",
    description: "Open files of each process of a job without a container. The kernel refuses to open more.",
  },
  jobLogBytes: {
    default: 1024 ** 3,
    unit: "bytes",
    description:
      "Size of the log of standard output and of standard error of one job. Weft ends a job that writes more.",
  },
  diskReserveBytes: {
    default: 1024 ** 3,
    least: 0,
    unit: "bytes",
    description:
      "Free space on the disk of the jobs, at most 5% of it. When less is free, Weft ends the job whose files grow fastest, and removes them. 0 turns this off.",
  },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;

/** These limits protect invariants, and nobody needs other values. */
const FIXED_LIMITS = {
  /** Nesting of lists, records, secondary files and listings in one value. */
  valueDepth: 256,
  /** UTF-8 length of the name of a file or directory. */
  nameBytes: 255,
  /** Fields of one object in the JSON of one request. */
  objectFields: 10_000,
  /** Problems listed in one answer, which states how many more there are. */
  reportedProblems: 100,
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName | keyof typeof FIXED_LIMITS, number>>;

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[]; // the keys of a literal

export const DEFAULT_LIMITS: Limits = {
  ...(Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name].default])) as Record<LimitName, number>), // one entry per name
  ...FIXED_LIMITS,
};

/** The lowest value of a limit. */
export function leastOf(name: LimitName): number {
  const { least }: LimitDeclaration = LIMITS[name];
  return least ?? 1;
}

/** The name that `--limit` takes: `jobs-per-scatter` for `jobsPerScatter`. */
export function limitFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
