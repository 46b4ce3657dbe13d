/**
 * The record of an attempt: a file in its folder. The wrapper creates it to claim the attempt (pid, boot id, and its
 * line of /proc), and appends how the program ended. A line without a line feed does not count.
 */
export const RECORD_FILE = "record";

/** The process that runs the job. */
export interface Claim {
  readonly pid: number;
  readonly bootId: string;
  /** Start time of the process in clock ticks since boot; with the pid it identifies a process uniquely. */
  readonly startTicks: string;
}

/** Undefined if a crash left the claim empty, or if a server took it to prevent the start. */
export function parseClaim(text: string): Claim | undefined {
  const pid = /^pid (\d+)$/m.exec(text)?.[1];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    bootId: /^boot (.*)$/m.exec(text)?.[1] ?? "",
    startTicks: startTicksOf(/^stat (.*)$/m.exec(text)?.[1] ?? ""),
  };
}

/**
 * The process group of the program; undefined if none was started. The wrappers in shell of earlier versions led the group
 * of their program and recorded nothing more.
 */
export function parseGroup(text: string): number | undefined {
  const group = [...text.matchAll(/^group (\d+)\n/gm)].at(-1);
  return group === undefined ? parseClaim(text)?.pid : Number(group[1]) || undefined;
}

export interface RecordedExit {
  readonly exitCode: number;
  readonly cpuMs: number | null;
  readonly ioReadBytes: number | null;
  readonly ioWriteBytes: number | null;
  /** The highest peak of any single reaped process. */
  readonly peakBytes: number | null;
}

/**
 * Parses how the program ended; undefined until the wrapper has completed the last line. Only the last line of each
 * kind counts: without a sandbox, a job can write here too, but the wrapper writes after its program has ended.
 */
export function parseExit(text: string): RecordedExit | undefined {
  const exit = [...text.matchAll(/^exit (\d+)\n/gm)].at(-1);
  if (exit === undefined) return undefined;
  const times = [...text.matchAll(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/gm)];
  const ofChildren = times.length < 2 ? undefined : times.at(-1);
  return {
    exitCode: Number(exit[1]),
    cpuMs: ofChildren === undefined ? null : millisecondsOf(ofChildren.slice(1).map(Number)),
    ioReadBytes: bytesOf(text, "rchar"),
    ioWriteBytes: bytesOf(text, "wchar"),
    peakBytes: bytesOf(text, "peak"),
  };
}

/** The second line of `times`: user and system time of the children, `0m0.010s 0m0.004s`. */
function millisecondsOf([userMinutes = 0, userSeconds = 0, minutes = 0, seconds = 0]: readonly number[]): number {
  return Math.round((userMinutes + minutes) * 60_000 + (userSeconds + seconds) * 1000);
}

/**
 * Byte counts from /proc/PID/io and the resource usage of the wrapper; both include all children that it has
 * reaped.
 */
function bytesOf(text: string, name: "rchar" | "wchar" | "peak"): number | null {
  const bytes = [...text.matchAll(new RegExp(`^${name}: (\\d+)$`, "gm"))].at(-1)?.[1];
  return bytes === undefined ? null : Number(bytes);
}

/** Field 22 of /proc/PID/stat. The command name in parentheses may contain anything, so counting starts after it. */
export function startTicksOf(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
