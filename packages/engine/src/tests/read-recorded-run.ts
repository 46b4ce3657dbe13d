import { join, resolve } from "node:path";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { createLogReader } from "../journal/log-reader.ts";
import { isFolded, openForReading } from "../journal/open-database.ts";
import type { RunRow } from "../journal/rows.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { restoreValues } from "../values/record-values.ts";

export interface RecordedRun {
  readonly row: RunRow;
  /** Locations are `file:` URLs if their folder is known. */
  readonly inputs: CwlObject;
  /** Undefined if the run has none. */
  readonly outputs: CwlObject | undefined;
}

/**
 * Reads a run from a state folder, even while a server uses it. `folders`: absolute paths of the catalog and data
 * roots, by name. Undefined if there is no such run. Throws StateFolderUnusable for a log of another version.
 */
export function readRecordedRun(
  stateFolder: string,
  runId: string,
  folders: Readonly<Record<string, string>>,
): RecordedRun | undefined {
  const root = resolve(stateFolder);
  const uris = new PortableUris({ ...folders, runs: join(root, "runs"), uploads: join(root, "uploads") });
  using db = openForReading(join(root, "weft.db"));
  if (!isFolded(db))
    throw new StateFolderUnusable(
      `${root} was written by another version of Weft; start weft serve once to convert it`,
    );
  const read = createLogReader(db, "reader");
  const row = read.run(runId);
  if (row === undefined) return undefined;
  return {
    row,
    inputs: restoreValues(read.blob(row.inputs), uris),
    outputs: row.outputs === null ? undefined : restoreValues(read.blob(row.outputs), uris),
  };
}
