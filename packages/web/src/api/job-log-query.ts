import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";

export type LogStream = "stdout" | "stderr";

export interface LogSource {
  readonly runId: string;
  readonly jobId: string;
  readonly stream: LogStream;
}

/** Where the complete log of a job can be read. */
export function jobLogUrl({ runId, jobId, stream }: LogSource): string {
  return `${basePath}/api/runs/${runId}/jobs/${encodeURIComponent(jobId)}/log?stream=${stream}`;
}

export interface ByteRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The lines of a range that begins with a line. Kept only briefly after they scroll away. */
export function logLinesQuery(source: LogSource, { from, to }: ByteRange) {
  return queryOptions({
    queryKey: ["job-log", source.runId, source.jobId, source.stream, from, to] as const,
    queryFn: ({ signal }) => readLines(source, { from, to }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    structuralSharing: false,
  });
}

async function readLines(source: LogSource, range: ByteRange, signal: AbortSignal): Promise<readonly string[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await streamLog(source, range, { signal, onBytes: (bytes) => void chunks.push(bytes) });
  const text = await new Blob(chunks).text(); // invalid UTF-8 becomes U+FFFD
  return text.replace(/\n$/, "").split("\n");
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Reads a log from a byte to its current end or `to`, piece by piece. A missing log has no bytes. */
export async function streamLog(
  source: LogSource,
  { from, to }: { readonly from: number; readonly to?: number },
  { signal, onBytes }: StreamOptions,
): Promise<void> {
  // A range that begins after the last byte would be refused: it reads the byte before again and drops it.
  const before = to === undefined && from > 0 ? 1 : 0;
  const range = `bytes=${from - before}-${to === undefined ? "" : to - 1}`;
  const headers = from === 0 && to === undefined ? undefined : { range };
  // A browser's cache may answer a range of a growing file with the part that it already has.
  const response = await fetch(jobLogUrl(source), { ...(headers && { headers }), cache: "no-store", signal });
  if (response.status === 416 || response.status === 404) return; // nothing after that byte, or nothing written yet
  if (!response.ok) throw new ApiError(response.status, undefined);
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let left = before;
  for (;;) {
    // Each piece comes after the one before.
    // eslint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read();
    if (done) return;
    onBytes(value.subarray(left));
    left = 0;
  }
}
