import { join } from "node:path";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import { servableFile } from "../files/servable-file.ts";
import { streamPath } from "../journal/stream-path.ts";
import type { JobRow } from "../journal/rows.ts";
import { attemptPath } from "../files/attempt-folder.ts";
import type { RunDisk } from "../jobs/job-services.ts";

/** Maximum size of a log in a bundle, counted from its end. */
const LOG_BYTES = 10 * 1024 * 1024;

export interface BundledLog {
  readonly stream: "stdout" | "stderr";
  readonly sizeBytes: number;
  readonly entry: Extract<ArchiveEntry, { readonly kind: "file" }>;
}

/** The recorded output streams of a job, if they still exist. */
export async function bundledLogs(row: JobRow, services: RunDisk): Promise<BundledLog[]> {
  const logs = await Promise.all((["stdout", "stderr"] as const).map((stream) => findLog(row, stream, services)));
  return logs.filter((log) => log !== undefined);
}

async function findLog(
  row: JobRow,
  stream: BundledLog["stream"],
  { runsFolder, access }: RunDisk,
): Promise<BundledLog | undefined> {
  const { command } = row;
  if (command === null) return undefined;
  const path = join(runsFolder, row.runId, attemptPath(row, streamPath(command, stream)));
  const log = await servableFile(path, access.ofShownRun(row.runId));
  if (log === undefined) return undefined;
  const startAt = Math.max(0, log.size - LOG_BYTES);
  return { stream, sizeBytes: log.size, entry: { kind: "file", name: `logs/${stream}.txt`, open: log.open, startAt } };
}

/** A sentence for readers about a truncated log. */
export function shortenedText({ stream, sizeBytes }: BundledLog): string | undefined {
  if (sizeBytes <= LOG_BYTES) return undefined;
  return `logs/${stream}.txt contains the last ${LOG_BYTES} of ${sizeBytes} bytes.`;
}
