import { Readable } from "node:stream";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { Engine, EngineFiles, JobLog } from "@weft/engine/port/engine.ts";
import type { OpenFile } from "@weft/engine/files/beneath/open-file.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";

export interface FollowedLog extends JobLog {
  readonly caller: Caller;
  /** The number of bytes before the end at which to begin; undefined to begin at the start. */
  readonly tailBytes: number | undefined;
  /** Aborts when the client leaves or the server closes. */
  readonly leaving: AbortSignal;
  /** Whether the client is still authorized; if not, the answer ends soon. */
  readonly isCurrent: () => boolean;
}

/** The interval between checks for new text. */
const LOOK_AGAIN_MS = 250;

/**
 * Streams what a job writes until the job finishes, the client disconnects or loses its token, or the server closes.
 * Waits for a job that has not started; after a retry, continues with the output of the next attempt. Refuses an
 * unknown job.
 */
export function followLog(engine: Engine, log: FollowedLog): Readable {
  const { caller, runId, jobId, leaving } = log;
  const end = new JobEnd();
  const unsubscribe = engine.events.subscribe((batch) => {
    if (
      batch
        .visibleTo(caller)
        .some(
          (event) =>
            event.run_id === runId &&
            (event.type === "run.ended" || (event.type === "job.ended" && event.job_id === jobId)),
        )
    )
      end.come();
  });
  try {
    // Read the state after listening began, so that an end in between is not missed.
    if (isFinal(engine.runs.job(caller, runId, jobId).state)) end.come();
  } catch (error) {
    unsubscribe();
    throw error;
  }
  const content = Readable.from(readUntilEnd(engine.files, log, end), { objectMode: false });
  // Destroying the stream alone would not end a reader that waits for more.
  leaving.addEventListener("abort", () => end.leave(), { once: true });
  if (leaving.aborted) end.leave();
  content.once("close", unsubscribe);
  return content;
}

/** Waits for the end of a job, or of its reader. */
class JobEnd {
  #wake: () => void = () => undefined;
  hasCome = false;
  hasLeft = false;

  come(): void {
    this.hasCome = true;
    this.#wake();
  }

  leave(): void {
    this.hasLeft = true;
    this.#wake();
  }

  /** Resolves at the end, or when it is time to check again. */
  async wait(): Promise<void> {
    if (this.hasCome || this.hasLeft) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, LOOK_AGAIN_MS);
    await promise;
    clearTimeout(timer);
  }
}

async function* readUntilEnd(files: EngineFiles, log: FollowedLog, end: JobEnd): AsyncGenerator<Buffer> {
  let place: { readonly path: string; readonly offset: number } | undefined;
  while (!end.hasLeft && log.isCurrent()) {
    // The complete output is on disk before the end of the job is reported.
    const isLast = end.hasCome;
    const file = await files.jobLog(log.caller, log).catch(notYet);
    const opened = await file?.open().catch(notYet);
    if (file !== undefined && opened !== undefined) {
      const { size } = opened.stats;
      const start = Math.max(0, size - (log.tailBytes ?? size));
      const offset = place === undefined ? start : place.path === file.path ? place.offset : 0;
      place = { path: file.path, offset: Math.max(offset, size) };
      yield* readBytes(opened, offset);
    }
    if (isLast) return;
    await end.wait();
  }
}

async function* readBytes(opened: OpenFile, start: number): AsyncGenerator<Buffer> {
  using file = opened;
  const { size } = file.stats;
  if (size > start) yield* file.stream({ start, end: size - 1 });
}

/** Undefined for the error that a job without a log file causes before it begins. Refuses a removed file. */
export function notYet(error: unknown): undefined {
  if (error instanceof Refusal && error.code === "file-not-found") return undefined;
  throw error;
}
