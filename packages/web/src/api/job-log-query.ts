import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/client.ts";
import { basePath } from "../base-path.ts";

export type LogStream = "stdout" | "stderr";

export interface LogSource {
  readonly runId: string;
  readonly jobId: string;
  readonly stream: LogStream;
}

export interface LogTail {
  readonly text: string;
  /** Older bytes exist that were not read. */
  readonly truncated: boolean;
}

const POLL_MS = 1500;

/** Where the whole log of a job can be read. */
export function jobLogUrl({ runId, jobId, stream }: LogSource): string {
  return `${basePath}/api/runs/${runId}/jobs/${encodeURIComponent(jobId)}/log?stream=${stream}`;
}

/** The last `tailBytes` of a log, read again every 1.5 s while the job is `live`. */
export function jobLogQuery(source: LogSource, tailBytes: number, live: boolean) {
  return queryOptions({
    queryKey: ["job-log", source.runId, source.jobId, source.stream, tailBytes] as const,
    queryFn: ({ signal }) => readTail(source, tailBytes, signal),
    refetchInterval: live ? POLL_MS : false,
    structuralSharing: false,
  });
}

async function readTail(source: LogSource, tailBytes: number, signal: AbortSignal): Promise<LogTail> {
  const response = await fetch(`${jobLogUrl(source)}&tail=${tailBytes}`, { signal });
  if (response.status === 404) return { text: "", truncated: false }; // not started yet: nothing was written
  if (!response.ok) throw new ApiError(response.status, undefined);
  const bytes = await response.arrayBuffer();
  return { text: new TextDecoder().decode(bytes), truncated: bytes.byteLength >= tailBytes };
}
