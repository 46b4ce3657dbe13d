import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import type { LaunchSize } from "../executor.ts";
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

/** Added to a tool's own limit, which Weft enforces: Slurm's limit matters only when no server watches. */
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
    // PATH is exported by name, because NONE would make Slurm log in to determine the user's environment.
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

/** The time limit in minutes; undefined for the site's default. */
function timeLimitMinutes({ size: { seconds }, tasks }: Batch): number | undefined {
  if (seconds === undefined) return undefined;
  const most = Math.max(...tasks.map((folders) => folders.length));
  return Math.ceil((seconds * most + SPARE_SECONDS) / 60);
}

/** Settings of the script on a node besides its batch. */
export interface NodeSettings {
  /** Absolute path of the launchers in a folder that the nodes share; `-x86_64` and the like follow. */
  readonly launcher: string;
  /** The maximum time until a file in that folder becomes visible. */
  readonly latencyMs: number;
}

/**
 * The script that runs on a node. The launcher takes each folder from the list, waits until the launch file is complete, and
 * runs it with exactly its environment, so that programs built for Slurm do not act on Slurm's variables.
 */
export function sbatchScript({ tasks }: Batch, { launcher, latencyMs }: NodeSettings): string {
  const lists = tasks.map((folders, index) => `  ${index}) set -- ${folders.map(quoteForShell).join(" ")} ;;`);
  const seconds = Math.ceil(latencyMs / 1000);
  return `#!/bin/bash
case $SLURM_ARRAY_TASK_ID in
${lists.join("\n")}
esac
at="slurm \${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID \${SLURMD_NODENAME:-?}"
launcher=${quoteForShell(launcher)}-$(uname -m)
trap 'terminated=1' TERM INT HUP
${OOM_FILE}
for ((tries = 0; tries < ${seconds}; tries++)); do
  [ -x "$launcher" ] && break
  sleep 1
done
missing=0
for folder; do
  [ "$terminated" ] && break
  "$launcher" --at "$at" --wait ${seconds} --oom "$oom_file" "$folder" </dev/null >/dev/null || missing=${FOLDER_NOT_FOUND}
done
exit $missing
`;
}

/**
 * If Slurm keeps a task's processes in a memory control group, the kernel counts there which of them it killed
 * (`oom_kill`, in both versions). Any other group would count foreign processes. A task with several jobs has one group.
 */
const OOM_FILE = `oom_file=
while IFS=: read -r number kind path; do
  [[ $path == */job_[0-9]*/step_* ]] || continue
  case ,$kind, in
    *,memory,*) path=/sys/fs/cgroup/memory$path/memory.oom_control ;;
    ,,) path=/sys/fs/cgroup$path/memory.events ;;
    *) continue ;;
  esac
  [ -r "$path" ] && oom_file=$path
done 2>/dev/null </proc/self/cgroup`;
