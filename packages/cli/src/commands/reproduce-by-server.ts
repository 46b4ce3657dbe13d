import { setTimeout as sleep } from "node:timers/promises";
import type { Reproduce, Tolerance } from "@weft/shared/records/comparison-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { askServer } from "../server/ask-server.ts";
import { awaitVerdict } from "./await-verdict.ts";
import type { Judged } from "./await-verdict.ts";

export interface RunToReproduce {
  readonly runId: string;
  readonly tolerance: Tolerance;
  /** Called with the id of the new run as soon as it is durable. */
  readonly onStarted: (runId: string) => void;
}

const WAIT_S = 5;
const PAUSE_MS = 500;

/** Lets the server that has a state folder reproduce a run, and waits for the verdict. Rejects with ServerRefused. */
export function reproduceByServer(
  stateFolder: string,
  { runId: original, tolerance, onStarted }: RunToReproduce,
): Promise<Judged> {
  return askServer(stateFolder, async ({ client, headers }) => {
    const body: Reproduce = { tolerance };
    const started = await client("POST /api/runs/{run_id}/reproduce", { params: { run_id: original }, body, headers });
    onStarted(started.run_id);
    const params = { run_id: started.run_id };
    const waiting = { ...headers, prefer: `wait=${WAIT_S}` };
    return awaitVerdict({
      read: () => client("GET /api/runs/{run_id}", { params, headers }),
      changed: async ({ state }) => {
        if (isFinal(state)) await sleep(PAUSE_MS);
        else await client("GET /api/runs/{run_id}/status", { params, headers: waiting });
      },
      compare: () =>
        client("GET /api/runs/{run_id}/comparison", {
          params: { run_id: original },
          query: { with: started.run_id, relative: tolerance.relative, absolute: tolerance.absolute },
          headers,
        }),
    });
  });
}
