import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import type { Launch } from "./executor.ts";
import { markerOf } from "./job-marker.ts";

/**
 * The shell program that starts all jobs of a server. A process that forks pays for its own memory, and a server has much
 * of it; a small bash forks at the price of `xargs`. So what is to be started is written into a file, and the supervisor is
 * told its number and folder, one line a job: `<number> <folder>`. It forks a wrapper into a process group of its own and
 * answers
 *
 *     forked <number> <pid>   the wrapper is there
 *     started <number>        it has claimed the attempt (this may be said before the line above)
 *     ended <number>          it has written its record and is about to end
 *     taken <number>          somebody else has the attempt folder; nothing was run
 *     over                    there is nothing more to read, and everything that was read is forked
 *
 * The wrapper claims the attempt folder (an exclusive create: of two wrappers for one attempt one wins), runs the program,
 * and appends the times of its children, what they read and wrote, and their exit code. It outlives the supervisor and the
 * server. `exec` in the subshell makes sure that a program is started and never the shell's builtin of the same name; just
 * before, the subshell takes what every descendant inherits: its stamp and its control group. SIGTERM to the group reaches
 * the program; the wrapper itself stays to record the end, and starts nothing any more when it was told before.
 *
 * It stays until its last job has ended, though nobody speaks to it any more: a process group whose parents are gone is
 * sent SIGHUP by the kernel when one of its processes is stopped (POSIX, "orphaned process group").
 *
 * A shell keeps a note of every child it ever had, so after a number of jobs (its one argument) it puts a fresh one in its
 * place, which is the same process to its children and to whoever speaks to it.
 */
export const JOB_SUPERVISOR = `
unset OLDPWD SHLVL
weft_boot=
[ -r /proc/sys/kernel/random/boot_id ] && read -r weft_boot </proc/sys/kernel/random/boot_id
weft_job() {
  weft_number=$1 weft_folder=$2 weft_stat= weft_code=143
  trap 'weft_told=1' TERM INT HUP
  [ -r /proc/self/stat ] && read -r weft_stat </proc/self/stat
  set -C
  { printf 'pid %s\\nboot %s\\nstat %s\\n' "\${weft_stat%% *}" "$weft_boot" "$weft_stat" >"$weft_folder/record"; } 2>/dev/null || {
    printf 'taken %s\\n' "$weft_number"
    exit
  }
  set +C
  printf 'started %s\\n' "$weft_number"
  weft_record=$weft_folder/record
  . "$weft_folder/launch"
  if cd "$weft_workdir"; then
    export -n PWD OLDPWD
    [ "$weft_told" ] || { ( weft_mark; exec "$@" ) 2>"$weft_err" <"$weft_in" >"$weft_out"; weft_code=$?; }
  else
    weft_code=97
  fi
  weft_io=
  [ -r /proc/self/io ] && IFS= read -r -d '' weft_io </proc/self/io
  { times; printf '%sexit %s\\n' "$weft_io" "$weft_code"; } >>"$weft_record"
  trap '' PIPE
  printf 'ended %s\\n' "$weft_number"
}
weft_mark() {
  { [ "$weft_stamp" ] && ulimit -x "$weft_stamp"; [ "$weft_cgroup" ] && echo 0 >"$weft_cgroup"; } 2>/dev/null
}
set -m
weft_left=$1
while [ "$weft_left" -gt 0 ] && IFS= read -r weft_line; do
  weft_left=$((weft_left - 1))
  weft_job "\${weft_line%% *}" "\${weft_line#* }" </dev/null &
  printf 'forked %s %s\\n' "\${weft_line%% *}" "$!"
done
[ "$weft_left" -gt 0 ] || exec "$BASH" --norc --noprofile -c "$BASH_EXECUTION_STRING" "$0" "$1"
trap '' PIPE
set +m
printf 'over\\n'
while wait; weft_jobs=; read -r weft_jobs <"/proc/self/task/$$/children"; [ "$weft_jobs" ]; do
  sleep 1
done 2>/dev/null
`;

/** What a program takes upon itself so that its descendants are found; undefined where this machine has none of it. */
export interface Marks {
  readonly stamp?: bigint | undefined;
  /** Absolute path of the `cgroup.procs` of its group. */
  readonly cgroup?: string | undefined;
}

/** What the wrapper of one job reads: shell assignments, and the program with its arguments as `"$@"`. */
export function launchScript(launch: Launch, { stamp, cgroup }: Marks = {}): string {
  const env = { ...launch.env, ...markerOf(launch) };
  const { workdir, stdin, stdout, stderr } = launch;
  const isPlain = Object.keys(env).every((name) => !SHELL_OWN.test(name));
  const words = isPlain ? launch.argv : cleared(env, launch.argv);
  return [
    ...(isPlain ? Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}`) : []),
    ...Object.entries({ workdir, in: stdin, out: stdout, err: stderr, cgroup: cgroup ?? "" }).map(
      ([name, path]) => `weft_${name}=${quoteForShell(path)}`,
    ),
    `weft_stamp=${stamp ?? ""}`,
    `set -- ${words.map(quoteForShell).join(" ")}\n`,
  ].join("\n");
}

/** Names that mean something to the shell itself: setting one there would change the wrapper, or fail. */
const SHELL_OWN =
  /^(?:weft_.*|BASH.*|COPROC|DIRSTACK|ENV|EPOCH.*|EUID|EXECIGNORE|FUNCNAME|FUNCNEST|GLOBIGNORE|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT.*|PIPESTATUS|POSIXLY_CORRECT|PPID|PS\d|PWD|RANDOM|READLINE.*|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TIMEFORMAT|TMOUT|UID|_)$/;

/** The same program with exactly this environment, whatever the names in it, at the price of one more program start. */
function cleared(env: Readonly<Record<string, string>>, argv: readonly string[]): readonly string[] {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // env would take such a program's name for a setting.
  const isSetting = argv[0]?.includes("=") === true;
  return ["/usr/bin/env", "-i", ...settings, ...(isSetting ? ["/bin/sh", "-c", 'exec "$@"', "weft-job"] : []), ...argv];
}
