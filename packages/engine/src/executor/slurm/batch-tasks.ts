import type { LaunchSize } from "../executor.ts";
import type { PackSettings, SlurmSettings } from "./slurm-settings.ts";
import type { SlurmAttempt } from "./slurm-system.ts";

/**
 * Groups attempts into job arrays: attempts of one run with equal requests, as many tasks per array as allowed, and in
 * each task as many jobs as are known to be short.
 */
export function batchTasks(
  tasks: readonly SlurmAttempt[],
  { arraySize, pack }: Pick<SlurmSettings, "arraySize" | "pack">,
): readonly (readonly (readonly SlurmAttempt[])[])[] {
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

/**
 * Maximum size of the next array. Sites limit arrays (MaxArraySize) and the pending jobs of an account (MaxSubmitJobs).
 * Neither is known in advance, so a rejected array is halved. A limit on arrays is permanent. A limit on jobs rises
 * with each job that ends, so arrays grow again.
 */
export class ArraySize {
  #most: number;
  #now: number;

  /** `most`: the limit in the site's settings. */
  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Records that an array of this size was rejected because of its size. `isForGood`: it would always be rejected. */
  refused(tasks: number, isForGood: boolean): void {
    this.#now = Math.max(1, Math.floor(tasks / 2));
    if (isForGood) this.#most = this.#now;
  }

  accepted(): void {
    this.#now = Math.min(this.#most, this.#now * 2);
  }
}
