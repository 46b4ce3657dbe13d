import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import { inOwnThread } from "../../../async/own-thread.ts";
import { unreadable } from "./foreign-graph.ts";
import type { ForeignCrate, ImportEvent } from "./prepare-foreign.ts";

export type PrepareAnswer =
  | { readonly event: ImportEvent }
  | { readonly refusal: { readonly code: ProblemCode; readonly message: string } };

/** The memory of the thread, which is enough for metadata of the maximum size. */
const HEAP_MB = 2048;

/**
 * Prepares a foreign run in a thread of its own: its metadata may have 64 MiB, and a hostile crate may exhaust the memory of
 * the thread, but not of the server.
 */
export async function prepareInThread(crate: ForeignCrate): Promise<ImportEvent> {
  const answer = await inOwnThread<PrepareAnswer>({
    script: new URL("./prepare-worker.ts", import.meta.url),
    workerData: crate,
    heapMb: HEAP_MB,
    tooCostly: () => unreadable("its metadata take too much memory to read"),
  });
  if ("event" in answer) return answer.event;
  throw new Refusal(answer.refusal.code, answer.refusal.message);
}
