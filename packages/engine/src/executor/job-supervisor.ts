import { JOB_WRAPPER } from "./job-wrapper.ts";

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
 * The wrapper (job-wrapper.ts) outlives the supervisor and the server. SIGTERM to the group reaches the program; the wrapper
 * itself stays to record the end.
 *
 * It stays until its last job has ended, though nobody speaks to it any more: a process group whose parents are gone is
 * sent SIGHUP by the kernel when one of its processes is stopped (POSIX, "orphaned process group").
 *
 * LC_ALL, which jobs do not inherit, keeps the shell in the C locale: otherwise each \`export LANG\` of a launch file opens the
 * thirteen files of that locale.
 *
 * A shell keeps a note of every child it ever had, so after a number of jobs (its one argument) it puts a fresh one in its
 * place, which is the same process to its children and to whoever speaks to it.
 */
export const JOB_SUPERVISOR = `
unset OLDPWD SHLVL
LC_ALL=C
${JOB_WRAPPER}set -m
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
