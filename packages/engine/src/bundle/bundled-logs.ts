import { join } from "node:path";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import { servableFile } from "../files/servable-file.ts";
import { streamPath } from "../journal/stream-path.ts";
import type { JobRow } from "../journal/rows.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import type { RunServices } from "../runs/drive/run-services.ts";

/** A bundle contains at most this much of a log, from its end. */
const LOG_BYTES = 10 * 1024 * 1024;

export interface BundledLog {
  readonly stream: "stdout" | "stderr";
  readonly sizeBytes: number;
  readonly entry: Extract<ArchiveEntry, { readonly kind: "file" }>;
}

type Services = Pick<RunServices, "runsFolder" | "access">;

/** What a job wrote to its streams, as far as it is there. */
export async function bundledLogs(row: JobRow, services: Services): Promise<BundledLog[]> {
  const logs = await Promise.all((["stdout", "stderr"] as const).map((stream) => findLog(row, stream, services)));
  return logs.filter((log) => log !== undefined);
}

async function findLog(row: JobRow, stream: BundledLog["stream"], services: Services): Promise<BundledLog | undefined> {
  const { command } = row;
  if (command === null) return undefined;
  const reach = services.access.ofShownRun(row.runId);
  const path = join(attemptFolder(services.runsFolder, row.runId, row), streamPath(command, stream));
  const log = await servableFile(path, reach);
  if (log === undefined) return undefined;
  const startAt = Math.max(0, log.size - LOG_BYTES);
  return { stream, sizeBytes: log.size, entry: { kind: "file", name: `logs/${stream}.txt`, open: log.open, startAt } };
}

/** A sentence for people about a log of which a part is left out. */
export function shortenedText({ stream, sizeBytes }: BundledLog): string | undefined {
  if (sizeBytes <= LOG_BYTES) return undefined;
  return `logs/${stream}.txt holds the last ${LOG_BYTES} of ${sizeBytes} bytes.`;
}
