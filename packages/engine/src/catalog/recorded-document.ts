import { formatKnowledge, type FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Catalog } from "./catalog.ts";
import { isRunnable } from "./catalog-entry.ts";
import { loadFairly } from "./load-fairly.ts";
import { diskReader } from "../files/disk-reader.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";

export interface RecordedDocument {
  readonly process: Process;
  readonly formats: FormatKnowledge;
}

type WholeDocument = LoadedDocument & { readonly process: Process };
type RecordedPlace = Pick<RunRow, "document" | "documentUri">;

interface Log {
  readonly read: Pick<LogReader, "blob">;
  readonly uris: PortableUris;
}

/** The document of a run as recorded, even if its file has changed. Throws if it cannot be read any more. */
export async function loadRecordedDocument(row: RecordedPlace, log: Log): Promise<RecordedDocument> {
  const loaded = await loadRecorded(row, log);
  return { process: loaded.process, formats: formatKnowledge(loaded) };
}

/**
 * Like `loadRecordedDocument`, but returns all loaded documents. Reads other files that the document names from their
 * old locations.
 */
export async function loadRecorded(row: RecordedPlace, log: Log): Promise<WholeDocument> {
  const loaded = await readRecorded(row, log);
  if (loaded === undefined) throw new Error("the run's document can no longer be read");
  return loaded;
}

/** The document of an imported run must not make this server read other files. */
const OF_RUN = "weft-data://runs/";
/** A WES document must not read other files either, except for its own. */
const OF_WES = /^weft-data:\/\/wes-documents\/[0-9a-f]{64}\/files\//;

/** Undefined if it cannot be read any more. */
export async function readRecorded(row: RecordedPlace, { read, uris }: Log): Promise<WholeDocument | undefined> {
  const uri = uris.toFile(row.documentUri) ?? row.documentUri;
  const text = read.blob(row.document);
  const own = OF_WES.exec(row.documentUri)?.[0];
  const isAllowed = (address: string) =>
    own === undefined ? !row.documentUri.startsWith(OF_RUN) : uris.toPortable(address).startsWith(own);
  const loaded = await loadFairly(uri, {
    read: async (address) => (address === uri ? text : isAllowed(address) ? diskReader.read(address) : undefined),
  });
  const { process } = loaded;
  return process === undefined ? undefined : { ...loaded, process };
}

/**
 * The document that the run started with: from the catalog if it is unchanged there, otherwise from the log. Undefined
 * if it cannot be read any more.
 */
export async function loadOfRun(
  row: RunRow,
  { journal: { read }, uris }: Pick<Log, "uris"> & { readonly journal: Pick<Log, "read"> },
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
  const loaded = await readRecorded(row, { read, uris });
  return loaded === undefined ? undefined : { process: loaded.process, formats: formatKnowledge(loaded) };
}
