import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { diskReader } from "../files/disk-reader.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";

export interface RecordedDocument {
  readonly process: Process;
  readonly formats: FormatKnowledge;
}

/** The document of a run as the log keeps it, whatever became of its file. Throws where it cannot be read any more. */
export async function loadRecordedDocument(
  row: Pick<RunRow, "document" | "documentUri">,
  { read, uris }: { readonly read: Pick<LogReader, "blob">; readonly uris: PortableUris },
): Promise<RecordedDocument> {
  const uri = uris.toFile(row.documentUri) ?? row.documentUri;
  const text = read.blob(row.document);
  const loaded = await loadDocument(uri, {
    reader: { read: async (address) => (address === uri ? text : diskReader.read(address)) },
  });
  if (loaded.process === undefined) throw new Error("the run's document cannot be read any more");
  return { process: loaded.process, formats: formatKnowledge(loaded) };
}
