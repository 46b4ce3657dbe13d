import type { Client } from "@weft/shared/routes/client.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { until } from "@weft/engine/testing/until.ts";

/** Starts a run, and returns its ID. */
export async function startRun(client: Client, body: CreateRun): Promise<string> {
  return ((await client("POST /api/runs", { body })) as Run).run_id; // not a dry run
}

/** The run once it meets `isSo`; if that is omitted, once it has ended. */
export async function untilRun(client: Client, runId: string, isSo = ({ state }: Run) => isFinal(state)): Promise<Run> {
  const read = () => client("GET /api/runs/{run_id}", { params: { run_id: runId } });
  let run = await read();
  await until(async () => isSo(run) || isSo((run = await read())));
  return run;
}
