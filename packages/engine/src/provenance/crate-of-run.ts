import type { DiskAccess } from "../access/disk-access.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import { loadRecordedDocument } from "../catalog/recorded-document.ts";
import { buildCrate, type Crate } from "./crate/build-crate.ts";
import type { CrateRecord } from "./crate/crate-record.ts";
import { documentLines, eventLines } from "./crate/event-lines.ts";
import { provOfRun } from "./prov-document.ts";

export interface CrateSurroundings {
  readonly read: LogReader;
  readonly uris: PortableUris;
  readonly runsFolder: string;
  /** Portable URL of the folder with the run's outputs, with a trailing slash; absent: in the run's folder. */
  readonly outputsUri?: string;
  /** The real path for a portable URL; undefined if it is not on this machine or must not be disclosed. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
  readonly access: DiskAccess;
  readonly reach: Reach;
}

/** An ended run as a crate. Refuses an open run, whose files are incomplete. */
export async function crateOfRun(run: RunRow, surroundings: CrateSurroundings): Promise<Crate> {
  const { runId } = run;
  const { read, uris, runsFolder, resolve, access, reach } = surroundings;
  const { outputsUri = `weft-data://runs/${runId}/outputs/` } = surroundings;
  if (run.endedMs === null) throw new Refusal("conflict", "The run has not finished; create the crate when it has.");
  const { process } = await loadRecordedDocument(run, { read, uris });
  return buildCrate({
    source: {
      run,
      process,
      jobs: read.jobsOfRun(runId),
      files: read.filesOfRun(runId),
      blob: (digest) => read.blob(digest),
    },
    engineVersion: read.creation(runId).engine_version,
    outputsUri,
    attemptFolder: (job) => attemptFolder(runsFolder, runId, job),
    resolve,
    reach,
    logReach: access.ofShownRun(runId),
    records: recordsOf(run, surroundings),
  });
}

function recordsOf(run: RunRow, { read }: CrateSurroundings): readonly CrateRecord[] {
  const lines = "application/x-ndjson";
  const events = eventLines(run.runId, read);
  return [
    {
      name: "provenance.prov.json",
      title: "The run in W3C PROV-JSON",
      mediaType: "application/json",
      text: `${JSON.stringify(provOfRun(run, read), null, 2)}\n`,
    },
    { name: "weft/events.jsonl", title: "Events of the run", mediaType: lines, text: events },
    {
      name: "weft/documents.jsonl",
      title: "Documents, input and output objects that events refer to",
      mediaType: lines,
      text: documentLines(events, read),
    },
  ];
}
