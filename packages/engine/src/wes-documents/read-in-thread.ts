import { Refusal } from "@weft/shared/records/refusal.ts";
import { inOwnThread } from "../async/own-thread.ts";
import type { AttachedDocument, AttachedFiles } from "./read-attached.ts";

export interface ReadDocument {
  readonly document: AttachedDocument;
  readonly cpuMs: number;
}

const MAX_WAIT_MS = 20_000;
/** Bounds the model that a run copies into the thread of the server, about a tenth of this time. */
const MAX_CPU_MS = 500;
const HEAP_MB = 256;

/** Reads a document in a thread of its own. Refuses one that takes too much time or memory, or has errors. */
export async function readInThread(attached: AttachedFiles): Promise<AttachedDocument> {
  const { document, cpuMs } = await inOwnThread<ReadDocument>({
    script: new URL("./read-worker.ts", import.meta.url),
    input: attached,
    ...{ heapMb: HEAP_MB, maxWaitMs: MAX_WAIT_MS },
    tooCostly: (why) => costly(`${why} to read`),
  });
  const { errors } = document;
  if (cpuMs > MAX_CPU_MS) throw costly(`it takes ${Math.round(cpuMs)} ms of processor time to read`);
  const [first] = errors;
  if (first === undefined) return document;
  const place = `${first.file}:${first.line}:${first.column}`;
  throw new Refusal("invalid-document", `The document has errors. The first: ${place}: ${first.message}`, {
    errors: errors.map(({ code, message, file, line, column, hint }) => ({
      ...{ pointer: "/workflow_url", code, detail: message, file, line, column },
      ...(hint === undefined ? {} : { hint }),
    })),
  });
}

function costly(why: string): Refusal {
  return new Refusal("invalid-document", `The document cannot run: ${why}.`);
}
