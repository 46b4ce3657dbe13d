import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { StoredEvent } from "../../journal/event-hash.ts";

/** An event in a crate: one JSON object per line, with its hash and the previous one. */
export interface EventLine {
  readonly seq: number;
  readonly type: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly run_id: string | null;
  readonly job_id: string | null;
  readonly step: string | null;
  readonly sample_id: string | null;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly previous: string;
  readonly hash: string;
}

/** The events of a run, one per line; for an imported run, those chained on the original server. */
export function eventLines(runId: string, read: LogReader): string {
  const imported = read.importedEvents(runId);
  if (imported !== undefined) return imported;
  return read
    .chainOfRun(runId)
    .map((event) => `${JSON.stringify(toLine(event))}\n`)
    .join("");
}

function toLine(event: StoredEvent & Pick<EventLine, "previous" | "hash">): EventLine {
  return {
    seq: event.seq,
    type: event.type,
    time: new Date(event.timeMs).toISOString(),
    run_id: event.runId,
    job_id: event.jobId,
    step: event.step,
    sample_id: event.sampleId,
    actor: event.actor,
    data: parseExactJson(event.data) as EventLine["data"], // the log contains only objects
    previous: event.previous,
    hash: event.hash,
  };
}

/** Parses what `toLine` wrote; serializing the data again yields the same text as in the log. */
export function toStored(line: EventLine): StoredEvent {
  return {
    seq: line.seq,
    type: line.type,
    timeMs: Date.parse(line.time),
    runId: line.run_id,
    jobId: line.job_id,
    step: line.step,
    sampleId: line.sample_id,
    actor: line.actor,
    data: JSON.stringify(line.data),
  };
}

/** The documents, input and output objects that `eventLines` of a run refer to, one per line: `{digest, text}`. */
export function documentLines(events: string, read: Pick<LogReader, "blob">): string {
  const digests = new Set<string>();
  for (const line of events.split("\n")) {
    if (line === "") continue;
    const { data: fields } = parseExactJson(line) as EventLine;
    for (const field of ["document", "inputs", "outputs"]) {
      const digest = fields[field];
      if (typeof digest === "string") digests.add(digest);
    }
  }
  return [...digests].map((digest) => `${JSON.stringify({ digest, text: read.blob(digest) })}\n`).join("");
}
