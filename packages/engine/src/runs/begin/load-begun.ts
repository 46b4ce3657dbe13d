import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { isRunnable } from "../../catalog/catalog-entry.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { RunRow } from "../../journal/rows.ts";
import { readRecorded } from "./recorded-document.ts";
import type { RecordedDocument } from "./recorded-document.ts";
import type { RunLog } from "../../journal/run-log.ts";

/**
 * The document that the run started with: from the catalog if it is unchanged there, otherwise from the log. Undefined if it
 * cannot be read any more.
 */
export async function loadBegun(
  row: RunRow,
  { journal, uris }: Pick<RunLog, "uris"> & { readonly journal: { readonly read: Pick<LogReader, "blob"> } },
  catalog: Catalog,
): Promise<RecordedDocument | undefined> {
  const entry = catalog
    .all(row.kind)
    .find(([id]) => id === row.processId)?.[1]
    .find(({ digest }) => digest === row.processDigest);
  if (entry !== undefined && isRunnable(entry)) {
    const { process, formats } = entry;
    return { process, formats };
  }
  const loaded = await readRecorded(row, { read: journal.read, uris });
  return loaded === undefined ? undefined : { process: loaded.process, formats: formatKnowledge(loaded) };
}
