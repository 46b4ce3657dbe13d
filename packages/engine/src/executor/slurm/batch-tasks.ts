import type { LaunchSize } from "../executor.ts";
import type { PackSettings, SlurmSettings } from "./slurm-settings.ts";
import type { SlurmTask } from "./slurm-task.ts";

/**
 * Groups attempts into job arrays: attempts of one run with equal requests, as many tasks per array as allowed, and in
 * each task as many jobs as are known to be short.
 */
export function batchTasks(
  tasks: readonly SlurmTask[],
  { arraySize, pack }: Pick<SlurmSettings, "arraySize" | "pack">,
): readonly (readonly (readonly SlurmTask[])[])[] {
  const groups = Map.groupBy(tasks, ({ launch, note }) =>
    [launch.runId, sizeText(launch.size), note?.name ?? ""].join(" "),
  );
  return [...groups.values()].flatMap((group) => {
    // An attempt that was already in a task is tried alone.
    const isAgain = group[0]?.note !== undefined;
    const perTask = isAgain ? 1 : jobsPerTask(group[0]?.launch.size, pack);
    return inPieces(inPieces(group, perTask), arraySize);
  });
}

function jobsPerTask(size: LaunchSize | undefined, pack: PackSettings | undefined): number {
  if (pack === undefined || size?.seconds === undefined || size.seconds <= 0) return 1;
  return Math.max(1, Math.min(pack.jobs, Math.floor(pack.seconds / size.seconds)));
}

function sizeText({ cores, ramMib, seconds }: LaunchSize): string {
  return JSON.stringify([cores, ramMib ?? null, seconds ?? null]);
}

function inPieces<T>(items: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, n) => items.slice(n * length, (n + 1) * length));
}
