/**
 * The shell program around every job. It claims the attempt folder (an exclusive create: of two wrappers for one attempt
 * one wins and the other ends with 99 without running anything), runs the program, and appends its exit code. It needs
 * no other program and no second process of its own. `exec` in the subshell makes sure that a program is started and never
 * the shell's builtin of the same name. SIGTERM to the group reaches the program; the wrapper itself stays to record the end.
 *
 * Arguments: attempt folder, working folder, stdin, stdout, stderr, then the program and its arguments.
 */
export const JOB_WRAPPER = `
folder=$1 workdir=$2 in=$3 out=$4 err=$5
shift 5
boot= stat=
[ -r /proc/sys/kernel/random/boot_id ] && read -r boot </proc/sys/kernel/random/boot_id
[ -r "/proc/$$/stat" ] && read -r stat <"/proc/$$/stat"
set -C
{ printf 'pid %s\\nboot %s\\nstat %s\\n' "$$" "$boot" "$stat" >"$folder/claim"; } 2>/dev/null || exit 99
set +C
trap : TERM INT HUP
if cd "$workdir"; then
  ( exec "$@" ) 2>"$err" <"$in" >"$out"
  code=$?
else
  code=97
fi
printf 'exit %s\\n' "$code" >>"$folder/exit"
times >>"$folder/exit"
`;

export const WRAPPER_CLAIMED_ELSEWHERE = 99;

/** What the wrapper wrote into `exit`; undefined while there is no complete line. */
export function parseExitFile(text: string): { readonly exitCode: number; readonly cpuMs: number | null } | undefined {
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

/** What the wrapper wrote into `claim`: who runs the job. Undefined where a crash left it empty. */
export interface Claim {
  readonly pid: number;
  readonly bootId: string;
  /** Clock ticks since boot at which the process started: with the pid it names one process for ever. */
  readonly startTicks: string;
}

export function parseClaim(text: string): Claim | undefined {
  const pid = /^pid (\d+)$/m.exec(text)?.[1];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    bootId: /^boot (.*)$/m.exec(text)?.[1] ?? "",
    startTicks: startTicksOf(/^stat (.*)$/m.exec(text)?.[1] ?? ""),
  };
}

/** Field 22 of /proc/PID/stat; the command name in parentheses may hold anything, so counting starts behind it. */
export function startTicksOf(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
