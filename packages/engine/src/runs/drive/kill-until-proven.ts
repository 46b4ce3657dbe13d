import type { Machine, KillReport, KillTarget } from "../../executor/executor.ts";
import { untilProven } from "../../executor/tracker.ts";
import type { Log } from "../../log.ts";

export interface KillServices {
  readonly executor: Machine;
  readonly log: Log;
}

/**
 * Ends processes until the executor has proven that none is left. Retries if one cannot be killed or a container engine
 * does not respond, because the executor's report is the only proof. `isPointless`: no caller waits for it any more.
 */
export function killUntilProven(
  target: KillTarget,
  { executor, log }: KillServices,
  isPointless: () => boolean,
): Promise<KillReport> {
  return untilProven(
    () => executor.cancel(target),
    isPointless,
    ({ left }) =>
      log("error", "processes of a run could not be ended yet; trying again", {
        run_id: target.runId,
        process_ids: left,
      }),
  );
}
