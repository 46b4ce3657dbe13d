import { Refusal } from "@weft/shared/records/refusal.ts";
import { errorText } from "../../error-text.ts";
import { PortableUris } from "../../files/portable-uri.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import { openMemoryJournal } from "../../journal/memory-journal.ts";
import { loadRecordedDocument } from "../../catalog/recorded-document.ts";

/**
 * First projects a run into an in-memory log, so that inconsistencies of a hand-made crate never reach the server's
 * log. Refuses `invalid-crate`.
 */
export async function tryImport(event: NewEvent, runId: string, features: LogReader["features"]): Promise<void> {
  const journal = openMemoryJournal(Date.now, features);
  try {
    await journal.append([event]);
    const run = journal.read.run(runId);
    if (run?.endedMs == null) throw new Error("the run has no end");
    journal.read.jobsOfRun(runId).forEach(({ damaged }) => requireReadable(damaged));
    requireReadable(run.damaged);
    await loadRecordedDocument(run, { read: journal.read, uris: new PortableUris({}) });
  } catch (error) {
    throw new Refusal("invalid-crate", `The events of the crate are inconsistent: ${errorText(error)}.`, {});
  } finally {
    await journal.close();
  }
}

function requireReadable(damaged: readonly string[]): void {
  if (damaged.length > 0) throw new Error(`${damaged.join(", ")} cannot be read`);
}
