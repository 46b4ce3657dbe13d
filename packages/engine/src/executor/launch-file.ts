import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobExit, Launch } from "./executor.ts";
import { markerOf } from "./job-marker.ts";
import { errorText } from "../error-text.ts";

/**
 * The variables that a program inherits so that its descendants can be found; undefined if this machine does not
 * support it.
 */
export interface Marks {
  readonly stamp?: bigint | undefined;
  /** Absolute path of the `cgroup.procs` of its group. */
  readonly cgroup?: string | undefined;
  readonly limits?: ProcessLimits | undefined;
}

/** Limits that the kernel keeps for each process. */
export interface ProcessLimits {
  /**
   * The maximum number of processes. Applies only in the sandbox of an ordinary account, because only there does the
   * kernel count processes by job.
   */
  readonly processes: number;
  readonly openFiles: number;
}

/** The descriptor at which a sandbox finds the launch file. */
export const LAUNCH_DESCRIPTOR = 3;

/**
 * The input of the launcher (native/weft-exec.c): NUL-terminated `key=value` fields. The last one marks the file as
 * complete, which another machine cannot know otherwise.
 */
export function launchText(launch: Launch, { stamp, cgroup, limits }: Marks = {}): string {
  const { argv, sandbox, workdir } = launch;
  const { stdin, stdout, stderr } = outerStreams(launch);
  const named = sandbox?.streams ?? {};
  const env = Object.entries({ ...launch.env, ...markerOf(launch) }).map(([name, value]) => `${name}=${value}`);
  const opened = Object.entries(sandbox?.open ?? {}).map(([at, path]) => `${at} ${path}`);
  const fields: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ["workdir", [workdir]],
    ["in", [stdin]],
    ["out", [stdout]],
    ["err", [stderr]],
    ["named_in", [named.stdin]],
    ["named_out", [named.stdout]],
    ["named_err", [named.stderr]],
    ["stamp", [stamp?.toString()]],
    ["cgroup", [cgroup]],
    ["files", [limits?.openFiles.toString()]],
    ["processes", [limits?.processes.toString()]],
    ["keyring", sandbox === undefined ? [] : ["new"]],
    ["launch", sandbox === undefined ? [] : [String(LAUNCH_DESCRIPTOR)]],
    ["open", opened],
    ["via", sandbox?.argv ?? []],
    ["env", env],
    ["arg", argv],
    ["end", [""]],
  ];
  return fields
    .flatMap(([key, values]) => values.map((value) => (value === undefined ? "" : `${key}=${value}\0`)))
    .join("");
}

/**
 * The streams that the launcher opens: those of the job, or those of its sandbox, inside which the job's own files
 * are opened.
 */
export function outerStreams(launch: Launch): Pick<Launch, "stdin" | "stdout" | "stderr"> {
  if (launch.sandbox === undefined) return launch;
  const { folder } = launch;
  return { stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
}

/** The reason why a launch file cannot express this launch; undefined if it can. */
export function refusedText({ argv, env }: Pick<Launch, "argv" | "env">): string | undefined {
  const has = [...argv, ...Object.values(env)].some((text) => text.includes("\0"));
  return has ? "an argument or environment variable contains a NUL character" : undefined;
}

/**
 * Writes the launch file; returns a rejection if the job cannot be started. Keeps an identical file of an earlier start
 * of the same attempt.
 */
export function writeLaunch(launch: Launch, marks: Marks = {}): Extract<JobExit, { kind: "rejected" }> | undefined {
  const message = refusedText(launch);
  if (message !== undefined) return { kind: "rejected", message };
  try {
    writeFileSync(join(launch.folder, "launch"), launchText(launch, marks), { flag: "wx" });
  } catch (error) {
    // The error comes from a system call.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") return { kind: "rejected", message: errorText(error), isDiskFull: code === "ENOSPC" };
  }
  return undefined;
}
