import type { KilledJob } from "../executor.ts";
import { jobName } from "../job-marker.ts";
import type { Remains, Remnant } from "../tracker.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { SlurmClient } from "./slurm-client.ts";

export interface Cancelling {
  readonly client: Pick<SlurmClient, "cancel">;
  /** A look at the queue; undefined: no response. */
  readonly look: () => Promise<readonly QueuedTask[] | undefined>;
  readonly isMeant: (task: QueuedTask) => boolean;
  /** The attempts in a task; none if unknown. */
  readonly jobsOf: (task: QueuedTask) => readonly Pick<KilledJob, "jobId" | "attempt">[];
}

const LOOK_MS = 250;

/** Tasks in Slurm's queue: cancels them, and kills those that run although they were cancelled before. */
export function queuedRemains({ client, look, isMeant, jobsOf }: Cancelling): Remains<QueuedTask & Remnant> {
  const asked = new Set<string>();
  return {
    evidence: ["slurm"],
    pauseMs: { found: LOOK_MS, empty: LOOK_MS },
    async look() {
      const queue = await look();
      const found = queue?.filter(isMeant).map((task) => ({ ...task, jobs: jobsOf(task).map(jobName) }));
      return { found: found ?? [], isWhole: found !== undefined };
    },
    async end(found, isForced) {
      const isLate = ({ id, state }: QueuedTask) => isForced && asked.has(id) && state !== "PENDING";
      const [late, others] = [found.filter(isLate), found.filter((task) => !isLate(task))];
      // Signals all of them again, because the command may have failed.
      await client.cancel(idsOf(others), false);
      await client.cancel(idsOf(late), true);
      for (const { id } of found) asked.add(id);
      return { SIGTERM: others, SIGKILL: late };
    },
  };
}

function idsOf(tasks: readonly QueuedTask[]): readonly string[] {
  return tasks.map(({ id }) => id);
}
