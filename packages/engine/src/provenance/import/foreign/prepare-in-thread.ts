import { Worker } from "node:worker_threads";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import { unreadable } from "./foreign-graph.ts";
import type { ForeignCrate, ImportEvent } from "./prepare-foreign.ts";

export type PrepareAnswer =
  | { readonly event: ImportEvent }
  | { readonly refusal: { readonly code: ProblemCode; readonly message: string } };

/** For metadata of the largest size. */
const HEAP_MB = 2048;

/**
 * Prepares a foreign run in a thread of its own: its metadata may have 64 MiB, and a hostile crate may exhaust the memory of
 * the thread, but not of the server.
 */
export async function prepareInThread(crate: ForeignCrate): Promise<ImportEvent> {
  const worker = new Worker(new URL("./prepare-worker.ts", import.meta.url), {
    workerData: crate,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<PrepareAnswer>();
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? unreadable("its metadata take too much memory to read") : error),
  );
  worker.once("exit", () => reject(new Error("the thread that read a crate ended before it answered")));
  try {
    const answer = await promise;
    if ("event" in answer) return answer.event;
    throw new Refusal(answer.refusal.code, answer.refusal.message);
  } finally {
    await worker.terminate();
  }
}
