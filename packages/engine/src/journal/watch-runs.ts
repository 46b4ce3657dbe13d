import type { Log } from "../log.ts";
import type { Journal } from "./journal.ts";

export interface RunWatch {
  readonly journal: Journal;
  readonly log: Log;
  /** Types of the events after which there may be work on their run. */
  readonly occasions: readonly string[];
  /** Runs with work that an earlier server did not finish. */
  readonly left: () => readonly string[];
  /** The work on a run; undefined if there is none now. */
  readonly workOn: (runId: string, isLeft: boolean) => (() => Promise<void>) | undefined;
  /** Message for the log of the server if the work fails. */
  readonly failure: string;
}

/** Works on runs in the background, one at a time. Its end awaits the current work. */
export function watchRuns({ journal, log, occasions, left, workOn, failure }: RunWatch): {
  begin(): void;
  close(): Promise<void>;
} {
  let last: Promise<void> = Promise.resolve();
  let isOver = false;
  let unsubscribe = () => {};
  const consider = (runId: string, isLeft: boolean) => {
    const work = workOn(runId, isLeft);
    if (work === undefined) return;
    last = last
      .then(() => (isOver ? undefined : work()))
      .catch((error: unknown) => log("warn", failure, { run_id: runId, error: String(error) }));
  };
  return {
    begin() {
      if (isOver) return;
      unsubscribe = journal.subscribe((events) => {
        for (const { type, run_id: runId } of events)
          if (runId !== null && occasions.includes(type)) consider(runId, false);
      });
      for (const runId of left()) consider(runId, true);
    },
    async close() {
      isOver = true;
      unsubscribe();
      await last;
    },
  };
}
