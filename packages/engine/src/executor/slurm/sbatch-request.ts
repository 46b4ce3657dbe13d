import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import { JOB_WRAPPER } from "../job-wrapper.ts";
import type { LaunchSize } from "../executor.ts";
import { LAUNCH_IS_WHOLE } from "../launch-script.ts";
import type { MemoryOption, SlurmSettings } from "./slurm-settings.ts";

/** Attempts that are submitted together as one Slurm array. */
export interface Batch {
  /** Slurm's name of the array, and the key to find it again. */
  readonly name: string;
  /** Absolute paths of the attempt folders by task; several in one task run one after the other. */
  readonly tasks: readonly (readonly string[])[];
  /** The request of each of its jobs. */
  readonly size: LaunchSize;
}

/** Exit code of a task that cannot find the folder of its job. */
export const FOLDER_NOT_FOUND = 91;

/** Longer than a tool's own limit, which Weft enforces: Slurm's limit applies when no server watches. */
const SPARE_SECONDS = 60;

/** Options of sbatch; the script comes on its standard input. The site's own options come last and take precedence. */
export function sbatchArgv(batch: Batch, settings: SlurmSettings): readonly string[] {
  const { partition, account, qos } = settings;
  const cpus = Math.max(1, Math.ceil(batch.size.cores));
  const memory = memoryOption(batch.size.ramMib, cpus, settings.memory);
  const chosen = Object.entries({ partition, account, qos, ...memory, time: timeLimitMinutes(batch) });
  return [
    "--parsable",
    `--job-name=${batch.name}`,
    `--array=0-${batch.tasks.length - 1}`,
    "--ntasks=1",
    `--cpus-per-task=${cpus}`,
    ...chosen.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    // Weft itself decides about another attempt.
    "--no-requeue",
    // By name, because NONE would make Slurm log in to determine the user's environment.
    "--export=PATH",
    "--propagate=NONE",
    "--chdir=/",
    "--output=/dev/null",
    "--error=/dev/null",
    ...settings.options,
  ];
}

/** A tool that does not mention memory gets the site's default. */
function memoryOption(
  ramMib: number | undefined,
  cpus: number,
  memory: MemoryOption,
): Readonly<Record<string, string>> {
  if (ramMib === undefined || memory === "none") return {};
  return memory === "job" ? { mem: `${ramMib}M` } : { "mem-per-cpu": `${Math.ceil(ramMib / cpus)}M` };
}

/** Undefined: the site's default. */
function timeLimitMinutes({ size: { seconds }, tasks }: Batch): number | undefined {
  if (seconds === undefined) return undefined;
  const most = Math.max(...tasks.map((folders) => folders.length));
  return Math.ceil((seconds * most + SPARE_SECONDS) / 60);
}

/**
 * The script that runs on a node. It takes its folders from the list, waits until each launch file is complete, and
 * runs it with the common wrapper. It clears Slurm's variables, because programs built for Slurm would act on them.
 */
export function sbatchScript({ tasks }: Batch, latencyMs: number): string {
  const lists = tasks.map((folders, index) => `  ${index}) set -- ${folders.map(quoteForShell).join(" ")} ;;`);
  return `#!/bin/bash
weft_at="slurm \${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID \${SLURMD_NODENAME:-?}
"
case $SLURM_ARRAY_TASK_ID in
${lists.join("\n")}
esac
unset OLDPWD SHLVL "\${!SLURM@}" "\${!SBATCH@}"
trap 'weft_terminated=1' TERM INT HUP
${JOB_WRAPPER}
${OOM_COUNTER}
weft_is_whole() {
  [ -e "$1/record" ] && return
  weft_lines=()
  [ -r "$1/launch" ] && mapfile -t weft_lines <"$1/launch"
  [ "\${weft_lines[-1]-}" = ${quoteForShell(LAUNCH_IS_WHOLE)} ]
}
weft_missing=0
for weft_next; do
  [ "$weft_terminated" ] && break
  for ((weft_tries = 0; weft_tries < ${Math.ceil(latencyMs / 1000)}; weft_tries++)); do
    weft_is_whole "$weft_next" 2>/dev/null && break
    sleep 1
  done
  weft_is_whole "$weft_next" 2>/dev/null || { weft_missing=${FOLDER_NOT_FOUND}; continue; }
  weft_oom_kills
  weft_kills_before=$weft_kills
  ( weft_job 0 "$weft_next" ) </dev/null >/dev/null
done
exit $weft_missing
`;
}

/**
 * If Slurm keeps a task's processes in a memory control group, the kernel counts there which of them it killed
 * (`oom_kill`, in both versions). Any other group would count foreign processes. `weft_count` adds the count to the
 * record of each job; a task with several jobs has one group.
 */
const OOM_COUNTER = `weft_oom_file=
while IFS=: read -r weft_lines weft_kind weft_path; do
  [[ $weft_path == */job_[0-9]*/step_* ]] || continue
  case ,$weft_kind, in
    *,memory,*) weft_path=/sys/fs/cgroup/memory$weft_path/memory.oom_control ;;
    ,,) weft_path=/sys/fs/cgroup$weft_path/memory.events ;;
    *) continue ;;
  esac
  [ -r "$weft_path" ] && weft_oom_file=$weft_path
done 2>/dev/null </proc/self/cgroup
weft_oom_kills() {
  weft_kills=0
  [ "$weft_oom_file" ] || return
  while read -r weft_kind weft_path; do
    [ "$weft_kind" = oom_kill ] && weft_kills=$weft_path
  done 2>/dev/null <"$weft_oom_file"
}
weft_count=weft_count_oom
weft_count_oom() {
  weft_oom_kills
  [ "$weft_kills" -gt "$weft_kills_before" ] && weft_io=\${weft_io}"oom $((weft_kills - weft_kills_before))
"
}`;
