import type { Links } from "@weft/shared/links.ts";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { FileRow } from "../journal/rows.ts";
import type { FileOrigins } from "./file-origins.ts";
import { timeText } from "./present-time.ts";
import { isHttp } from "../files/remote/remote-url.ts";
import { usedItems } from "../files/used-items.ts";
import { presentLocation } from "./present-values.ts";

export function presentFile(file: FileRow, read: LogReader, origins: FileOrigins, links: Links): FileOccurrence {
  const isJobOutput = file.jobId !== null && file.direction === "output";
  const run = read.run(file.runId);
  return {
    run_id: file.runId,
    run_url: links.run(file.runId),
    run_name: run?.name ?? file.runId,
    process: run?.processId ?? "",
    job_id: file.jobId,
    step: file.step,
    sample_id: file.sampleId,
    tool: file.jobId === null ? null : origins.toolOf({ runId: file.runId, jobId: file.jobId }),
    direction: file.direction,
    class: file.class,
    port: file.port,
    place: file.place,
    name: file.name,
    checksum: file.checksum,
    sha256: file.sha256,
    size: file.size,
    time: timeText(file.timeMs),
    source_job_id: isJobOutput ? null : (origins.writerOf(file) ?? null),
    url: addressOf(file.uri, read, links),
    origin: origins.of(file),
    read_by_runs: origins.readByRuns(file),
  };
}

/** The URL of a file; null if this server does not have its content or has removed it. */
function addressOf(uri: string, read: LogReader, links: Links): string | null {
  if (usedItems(uri).some((item) => read.pruned(item) !== undefined)) return null;
  return presentLocation(uri, links) ?? (isHttp(uri) ? uri : null);
}
