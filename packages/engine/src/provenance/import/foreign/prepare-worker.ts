import { workerData } from "node:worker_threads";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { finishThread } from "../../../async/own-thread.ts";
import { refusalOfSystem } from "../../../journal/storage/storage-problem.ts";
import { tryImport } from "../try-import.ts";
import { prepareForeign } from "./prepare-foreign.ts";
import type { ForeignCrate } from "./prepare-foreign.ts";
import type { PrepareAnswer } from "./prepare-in-thread.ts";

const crate = workerData as ForeignCrate; // started by prepare-in-thread.ts

finishThread(await answer());

async function answer(): Promise<PrepareAnswer> {
  try {
    const event = await prepareForeign(crate);
    await tryImport(event, crate.runId, []);
    return { event };
  } catch (error) {
    const refusal = refusalOfSystem(error) ?? error;
    if (refusal instanceof Refusal) return { refusal: { code: refusal.code, message: refusal.message } };
    throw error;
  }
}
