import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import type { JobExit, Launch } from "./executor.ts";
import { markerOf } from "./job-marker.ts";
import { errorText } from "../error-text.ts";

/** What a program inherits so that its descendants can be found; undefined if this machine does not support it. */
export interface Marks {
  readonly stamp?: bigint | undefined;
  /** Absolute path of the `cgroup.procs` of its group. */
  readonly cgroup?: string | undefined;
  readonly limits?: ProcessLimits | undefined;
}

/** Limits that the kernel keeps for each process. */
export interface ProcessLimits {
  /** Processes of the job, in the sandbox of an ordinary account; the kernel counts no others by job. */
  readonly processes: number;
  readonly openFiles: number;
}

/**
 * The input of a job's wrapper: shell assignments, and the program with its arguments as `"$@"`. The last line marks
 * the file as complete, which another machine cannot know otherwise.
 */
export function launchScript(launch: Launch, { stamp, cgroup, limits }: Marks = {}): string {
  const env = { ...launch.env, ...markerOf(launch) };
  const { workdir } = launch;
  const { stdin, stdout, stderr } = outerStreams(launch);
  const words = isPlain(env) ? [...(launch.sandbox ?? []), ...launch.argv] : clearedIn(env, launch);
  return [
    ...(isPlain(env) ? Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}`) : []),
    ...Object.entries({ workdir, in: stdin, out: stdout, err: stderr, cgroup: cgroup ?? "" }).map(
      ([name, path]) => `weft_${name}=${quoteForShell(path)}`,
    ),
    `weft_stamp=${stamp ?? ""} weft_files=${limits?.openFiles ?? ""}`,
    `set -- ${words.map(quoteForShell).join(" ")}`,
    `${LAUNCH_IS_WHOLE}\n`,
  ].join("\n");
}

/** The input of a wrapper in Perl: NUL-terminated `key=value` fields. */
export function launchFields(launch: Launch, { stamp, cgroup, limits }: Marks = {}): string {
  const { stdin, stdout, stderr } = outerStreams(launch);
  const { view, streams } = launch.box ?? { view: [], streams: {} };
  const environment = { ...launch.env, ...markerOf(launch) };
  const env = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // The first process in a sandbox of its own is a shell.
  const sandboxed = isPlain(environment) ? launch.argv : cleared(environment, launch.argv);
  const words = launch.sandbox === undefined ? launch.argv : [...launch.sandbox, ...sandboxed];
  const fields: readonly (readonly [string, string | undefined])[] = [
    ...([
      ["workdir", launch.workdir],
      ["in", stdin],
      ["out", stdout],
      ["err", stderr],
    ] as const),
    ...([
      ["named_in", streams.stdin],
      ["named_out", streams.stdout],
      ["named_err", streams.stderr],
    ] as const),
    ...([
      ["stamp", stamp?.toString()],
      ["cgroup", cgroup],
      ["files", limits?.openFiles.toString()],
      ["processes", limits?.processes.toString()],
    ] as const),
    ...view.map((word) => ["mount", word] as const),
    ...env.map((setting) => ["env", setting] as const),
    ...words.map((word) => ["arg", word] as const),
  ];
  return fields.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}\0`])).join("");
}

/**
 * The streams that the wrapper opens: those of the job, or those of its sandbox. The first process in the sandbox opens
 * the streams that the tool names (sandbox/bubblewrap-argv.ts).
 */
export function outerStreams(launch: Launch): Pick<Launch, "stdin" | "stdout" | "stderr"> {
  if (launch.sandbox === undefined && launch.box === undefined) return launch;
  const { folder } = launch;
  return { stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
}

/** The last line of a launch file. */
export const LAUNCH_IS_WHOLE = "# whole";

/** Names with a meaning for the shell: setting one would affect the wrapper, or fail. */
const SHELL_OWN =
  /^(?:weft_.*|BASH.*|COPROC|DIRSTACK|ENV|EPOCH.*|EUID|EXECIGNORE|FUNCNAME|FUNCNEST|GLOBIGNORE|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT.*|PIPESTATUS|POSIXLY_CORRECT|PPID|PS\d|PWD|RANDOM|READLINE.*|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TIMEFORMAT|TMOUT|UID|_)$/;

function isPlain(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => !SHELL_OWN.test(name));
}

/** Cleared again inside a sandbox, whose first process is a shell too. */
function clearedIn(env: Readonly<Record<string, string>>, { sandbox, argv }: Launch): readonly string[] {
  const inside = cleared(env, argv);
  return sandbox === undefined ? inside : cleared(env, [...sandbox, ...inside]);
}

/**
 * Starts the program with exactly this environment, whatever the names in it, at the cost of starting one more program.
 */
function cleared(env: Readonly<Record<string, string>>, argv: readonly string[]): readonly string[] {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // `env` would parse such a program name as a setting.
  const isSetting = argv[0]?.includes("=") === true;
  return ["/usr/bin/env", "-i", ...settings, ...(isSetting ? ["/bin/sh", "-c", 'exec "$@"', "weft-job"] : []), ...argv];
}

/** What reads the launch file: a wrapper in shell, or one in Perl. */
export type LaunchForm = typeof launchScript;

/**
 * Writes the launch file; returns why the job cannot be started, if so. Keeps the equal file of an earlier start of the
 * same attempt.
 */
export function writeLaunch(launch: Launch, form: LaunchForm, marks: Marks = {}): JobExit | undefined {
  if ([...launch.argv, ...Object.values(launch.env)].some((text) => text.includes("\0")))
    return { kind: "rejected", message: "an argument or environment variable contains a NUL character" };
  try {
    writeFileSync(join(launch.folder, "launch"), form(launch, marks), { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") return { kind: "rejected", message: errorText(error), isDiskFull: code === "ENOSPC" };
  }
  return undefined;
}
