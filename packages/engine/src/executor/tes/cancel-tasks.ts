import type { KilledJob } from "../executor.ts";
import { jobName } from "../job-marker.ts";
import type { Look, Remains, Remnant } from "../tracker.ts";
import type { TesNote } from "./task-note.ts";
import { isFinalState } from "./task-view.ts";
import type { TesClient } from "./tes-client.ts";

/** An attempt whose tasks should end. */
export interface CancelTarget {
  readonly job: Pick<KilledJob, "jobId" | "attempt">;
  /** As noted in its folder. */
  readonly note: () => TesNote | undefined;
  /** Whether it is being posted. */
  readonly isPosting: () => boolean;
}

type Client = Pick<TesClient, "task" | "find" | "cancel">;
interface FoundTask extends Remnant {
  readonly id: string;
}

const LOOK_MS = 250;

/**
 * Tasks of a TES server, until the server reports each as ended or lists none. The response to the cancel request itself
 * proves nothing: some servers fail it for ended tasks, and others accept it for tasks that do not exist.
 */
export function taskRemains(targets: readonly CancelTarget[], client: Client): Remains<FoundTask> {
  const open = new Set(targets);
  return {
    evidence: ["tes"],
    pauseMs: { found: LOOK_MS, empty: LOOK_MS },
    async look() {
      const looks = await Promise.all([...open].map((target) => lookFor(target, client, () => open.delete(target))));
      return { found: looks.flatMap(({ found }) => found), isWhole: looks.every(({ isWhole }) => isWhole) };
    },
    async end(found) {
      await Promise.all(found.map(({ id }) => client.cancel(id)));
      // A server does not report which signals it sends.
      return {};
    },
  };
}

/** `close`: nothing of it is left, and nothing will come. */
async function lookFor(target: CancelTarget, client: Client, close: () => void): Promise<Look<FoundTask>> {
  const unknown = { found: [], isWhole: false };
  if (target.isPosting()) return unknown;
  const note = target.note();
  // It was given up before anything was posted.
  if (note === undefined) return (close(), { found: [], isWhole: true });
  const listed = await client.find(note.key);
  if (listed.kind !== "answered") return unknown;
  const ids = new Set([...listed.value.map(({ id }) => id), ...(note.id === undefined ? [] : [note.id])]);
  const answers = await Promise.all([...ids].map(async (id) => ({ id, answer: await client.task(id, "MINIMAL") })));
  const found = answers.flatMap(({ id, answer }): FoundTask | [] => {
    // Unknown states count as active, but a server that says nothing may have ended the task long ago.
    if (answer.kind !== "answered") return answer.kind === "absent" ? [] : { id, jobs: [] };
    return isFinalState(answer.value.state) ? [] : { id, jobs: [jobName(target.job)] };
  });
  if (found.length === 0 && answers.some(({ answer }) => answer.kind === "answered")) close();
  return { found, isWhole: true };
}
