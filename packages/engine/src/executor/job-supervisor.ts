import { JOB_WRAPPER } from "./job-wrapper.ts";

/**
 * The shell program that starts all jobs of a server. Forking costs time in proportion to a process's memory, and a server
 * uses much of it. Speaks the protocol of supervisor-client.ts where the program in Perl (perl-supervisor.ts), which is
 * faster, does not run. It forks a wrapper for each job, whatever its slot, into its own process group. The wrapper (job-wrapper.ts) outlives the supervisor and the server. SIGTERM to the group reaches the program; the wrapper
 * itself stays to record the exit.
 *
 * The supervisor stays until its last job has ended, even if the server is gone: otherwise the kernel would send SIGHUP to the
 * orphaned process group when one of its processes is stopped (POSIX, "orphaned process group").
 *
 * LC_ALL, which jobs do not inherit, keeps the shell in the C locale: otherwise each \`export LANG\` of a launch file would
 * open the thirteen files of that locale.
 *
 * A shell remembers every child that it ever had. So after a number of jobs (its one argument) it replaces itself by `exec`,
 * which its children and the server do not notice.
 */
export const JOB_SUPERVISOR = `
unset OLDPWD SHLVL
LC_ALL=C
${JOB_WRAPPER}set -m
weft_left=$1
while [ "$weft_left" -gt 0 ] && read -r weft_number weft_slot weft_key weft_folder; do
  [ "$weft_number" -gt 0 ] || continue
  weft_left=$((weft_left - 1))
  weft_job "$weft_number" "$weft_folder" </dev/null &
  printf 'forked %s %s\\n' "$weft_number" "$!"
done
[ "$weft_left" -gt 0 ] || exec "$BASH" --norc --noprofile -c "$BASH_EXECUTION_STRING" "$0" "$1"
trap '' PIPE
set +m
printf 'over\\n'
while wait; weft_jobs=; read -r weft_jobs <"/proc/self/task/$$/children"; [ "$weft_jobs" ]; do
  sleep 1
done 2>/dev/null
`;
