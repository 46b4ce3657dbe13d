import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import { absent } from "../files/absent.ts";
import { isBelow } from "../files/is-below.ts";
import type { JobRow } from "../journal/rows.ts";
import { attemptFolder } from "../run/prepare-job.ts";
import type { RunServices } from "../run/run-services.ts";

/** Of longer logs the last so many bytes. */
const LOG_BYTES = 10 * 1024 * 1024;

export interface BundledLog {
  readonly stream: "stdout" | "stderr";
  readonly sizeBytes: number;
  readonly entry: Extract<ArchiveEntry, { readonly kind: "file" }>;
}

/** What a job wrote to its streams, as far as it is there. */
export async function bundledLogs(row: JobRow, services: Pick<RunServices, "runsFolder">): Promise<BundledLog[]> {
  const logs = await Promise.all((["stdout", "stderr"] as const).map((stream) => findLog(row, stream, services)));
  return logs.filter((log) => log !== undefined);
}

async function findLog(
  row: JobRow,
  stream: BundledLog["stream"],
  services: Pick<RunServices, "runsFolder">,
): Promise<BundledLog | undefined> {
  const { command } = row;
  const folder = await realpath(attemptFolder(services, row.runId, row)).catch(absent);
  if (command === null || folder === undefined) return undefined;
  // The state folder may have moved since.
  const within = command[stream]?.slice(dirname(command.workdir).length + 1) ?? stream;
  const path = await realpath(join(folder, within)).catch(absent);
  const found = path === undefined || !isBelow(path, folder) ? undefined : await stat(path);
  if (path === undefined || found?.isFile() !== true) return undefined;
  const startAt = Math.max(0, found.size - LOG_BYTES);
  return { stream, sizeBytes: found.size, entry: { kind: "file", name: `logs/${stream}.txt`, path, startAt } };
}

/** A sentence for people about a log of which a part is left out. */
export function shortenedText({ stream, sizeBytes }: BundledLog): string | undefined {
  if (sizeBytes <= LOG_BYTES) return undefined;
  return `logs/${stream}.txt holds the last ${LOG_BYTES} of ${sizeBytes} bytes.`;
}
