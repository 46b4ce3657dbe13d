/**
 * The record of an attempt: one file in its folder, which the wrapper creates to claim the attempt (pid, boot id and its
 * line of /proc) and to which it appends how the program ended. A line without its end does not count.
 */
export const RECORD_FILE = "record";

/** Who runs the job. */
export interface Claim {
  readonly pid: number;
  readonly bootId: string;
  /** Clock ticks since boot at which the process started: with the pid it names one process for ever. */
  readonly startTicks: string;
}

/** Undefined where a crash left the claim empty, or a server took it so that nobody starts the program. */
export function parseClaim(text: string): Claim | undefined {
  const pid = /^pid (\d+)$/m.exec(text)?.[1];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    bootId: /^boot (.*)$/m.exec(text)?.[1] ?? "",
    startTicks: startTicksOf(/^stat (.*)$/m.exec(text)?.[1] ?? ""),
  };
}

/** How the program ended; undefined while there is no complete line. */
export function parseExit(text: string): { readonly exitCode: number; readonly cpuMs: number | null } | undefined {
  const exit = /^exit (\d+)\n/m.exec(text);
  if (exit === null) return undefined;
  const lines = text.slice(exit.index).split("\n");
  return { exitCode: Number(exit[1]), cpuMs: parseTimes(lines[2]) };
}

/** The second line of `times`: user and system time of the children, `0m0.010s 0m0.004s`. */
function parseTimes(line: string | undefined): number | null {
  const parts = [...(line ?? "").matchAll(/(\d+)m(\d+(?:\.\d+)?)s/g)];
  if (parts.length !== 2) return null;
  return Math.round(parts.reduce((sum, part) => sum + Number(part[1]) * 60_000 + Number(part[2]) * 1000, 0));
}

/** Field 22 of /proc/PID/stat; the command name in parentheses may hold anything, so counting starts behind it. */
export function startTicksOf(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
