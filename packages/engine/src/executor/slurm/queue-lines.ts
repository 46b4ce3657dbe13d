/** A task of one of Weft's arrays that has not ended, as Slurm reports it. */
export interface QueuedTask {
  /** Job name of the array. */
  readonly name: string;
  readonly index: number;
  /** The id in the format of Slurm's commands: `12_3`. */
  readonly id: string;
  /** `PENDING`, `RUNNING`, …. */
  readonly state: string;
  /** Slurm's reason why it waits: `Resources`, `Priority`, …. */
  readonly reason: string;
  /** The node; empty until the task has one. */
  readonly node: string;
}

/** The end of an array task. */
export interface EndedTask {
  readonly name: string;
  readonly index: number;
  readonly state: string;
  readonly exitCode: number;
  readonly node: string;
  /** The peak memory in bytes; null if unknown. */
  readonly maxRssBytes: number | null;
}

/** Final states. Every other state (SUSPENDED, STAGE_OUT, states of later versions) is not final. */
const FINAL_STATES: ReadonlySet<string> = new Set([
  ...["BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "LAUNCH_FAILED", "NODE_FAIL", "OUT_OF_MEMORY"],
  ...["PREEMPTED", "RECONFIG_FAIL", "REVOKED", "TIMEOUT"],
]);

export function hasEnded({ state }: Pick<EndedTask, "state">): boolean {
  return FINAL_STATES.has(state);
}

/** Prefix of all array names of Weft. */
export const NAME_PREFIX = "weft-";

/** The fields of `squeue --format`. */
export const QUEUE_FORMAT = "%F|%K|%T|%r|%N|%j";

/** Parses the output of squeue in `QUEUE_FORMAT`; skips the tasks of others. */
export function parseQueue(text: string): readonly QueuedTask[] {
  return text.split("\n").flatMap((line) => {
    const [array = "", indices = "", state = "", reason = "", node = "", ...rest] = line.split("|");
    const name = rest.join("|");
    if (!name.startsWith(NAME_PREFIX)) return [];
    return expandIndices(indices).map((index) => ({ name, index, id: `${array}_${index}`, state, reason, node }));
  });
}

/** `0-3,7,10-20:5%2`: pending tasks share a line. An invalid list yields none. */
export function expandIndices(text: string): readonly number[] {
  return text
    .replace(/%\d+$/, "")
    .split(",")
    .flatMap((part) => {
      const [, first, last, step] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part) ?? [];
      if (first === undefined) return [];
      const [from, to, by] = [Number(first), Number(last ?? first), Math.max(1, Number(step ?? 1))];
      return Array.from({ length: Math.max(0, Math.floor((to - from) / by) + 1) }, (_, n) => from + n * by);
    });
}

const END_COLUMNS = { ArrayTaskID: 24, State: 24, exit_code: 12, NodeList: 64, Name: 128 } as const;

/** The columns of `squeue --Format`, which include exit codes. */
export const END_FORMAT = Object.entries(END_COLUMNS)
  .map(([name, width]) => `${name}:${width}`)
  .join(",");

/** Parses the output of squeue in `END_FORMAT`. */
export function parseEnds(text: string): readonly EndedTask[] {
  return text.split("\n").flatMap((line) => {
    const { ArrayTaskID, State, exit_code, NodeList, Name } = columnsOf(line);
    if (!Name.startsWith(NAME_PREFIX)) return [];
    const end = { name: Name, state: State, node: NodeList, maxRssBytes: null };
    return expandIndices(ArrayTaskID).map((index) => ({
      ...end,
      index,
      exitCode: Number(exit_code.split(":")[0]) || 0,
    }));
  });
}

function columnsOf(line: string): Record<keyof typeof END_COLUMNS, string> {
  let at = 0;
  const cells = Object.entries(END_COLUMNS).map(([name, width]) => {
    at += width;
    return [name, line.slice(at - width, at).trim()] as const;
  });
  return Object.fromEntries(cells) as Record<keyof typeof END_COLUMNS, string>; // each column has one cell
}

/** The columns of `sacct --format`. */
export const ACCOUNT_FORMAT = "JobID,JobName,State,ExitCode,NodeList,MaxRSS";

/**
 * Parses the output of sacct in `ACCOUNT_FORMAT`: one line for each task, and one for its script, which has the memory.
 */
export function parseAccount(text: string): readonly EndedTask[] {
  const rows = text.split("\n").map((line) => line.split("|"));
  const memory = new Map(
    rows.flatMap(([id = "", , , , , rss = ""]) => (id.endsWith(".batch") ? [[id.slice(0, -6), bytesOf(rss)]] : [])),
  );
  return rows.flatMap(([id = "", name = "", state = "", exit = "", node = ""]) => {
    const index = /^\d+_(\d+)$/.exec(id)?.[1];
    if (index === undefined || !name.startsWith(NAME_PREFIX)) return [];
    // `CANCELLED by 1000`.
    const first = state.split(" ")[0] ?? "";
    const exitCode = Number(exit.split(":")[0]) || 0;
    return [{ name, index: Number(index), state: first, exitCode, node, maxRssBytes: memory.get(id) ?? null }];
  });
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Parses `12345K`; null if the text is not a size. */
function bytesOf(text: string): number | null {
  const [, number, unit = ""] = /^([\d.]+)([KMGT]?)$/.exec(text) ?? [];
  return number === undefined ? null : Math.round(Number(number) * (UNITS[unit] ?? 1));
}
