import { entityTagOf, type ServableFile } from "@weft/engine/files/servable-file.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { dropSlowReader } from "../http/drop-slow-reader.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer } from "../http/route-handler.ts";
import { planFileAnswer } from "./plan-file-answer.ts";

export interface FileAnswerOptions {
  readonly mediaType: string;
  /** Sends only this many bytes from the end, and ignores ranges. */
  readonly tailBytes?: number | undefined;
}

/**
 * A job's files are hostile. Our own pages may frame them. In a frame or in their own tab, they can show inline styles and
 * embedded pictures, but nothing else works. Without an origin they cannot have the agent of one.
 */
export const FILE_HEADERS = {
  "Content-Security-Policy":
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "X-Frame-Options": "SAMEORIGIN",
  "Origin-Agent-Cluster": "?0",
  "Cache-Control": "private, no-cache",
  "Accept-Ranges": "bytes",
} as const;

/**
 * Sends a file, or the requested part of it: 200, 206, 304. Refuses `file-not-found` if the file is gone by now, and
 * `range-not-satisfiable`. Opens the file once, before it sends headers.
 */
export async function answerFile(ctx: Context, file: ServableFile, options: FileAnswerOptions): Promise<ContentAnswer> {
  const { mediaType, tailBytes } = options;
  using opened = await file.open();
  const { stats } = opened;
  const facts = { entityTag: `"${entityTagOf(stats)}"`, lastModified: stats.mtime.toUTCString() };
  const { status, bytes, headers } = planFileAnswer(ctx, { ...facts, sizeBytes: stats.size, tailBytes });
  const isSent = bytes !== undefined && bytes.start <= bytes.end && ctx.method !== "HEAD";
  if (status === 416) throw new Refusal("range-not-satisfiable", `The content has ${stats.size} bytes`, { headers });
  if (isSent) dropSlowReader(ctx.res);
  const content = isSent ? opened.stream(bytes) : "";
  const validators = { ETag: facts.entityTag, "Last-Modified": facts.lastModified };
  return { status, mediaType, content, headers: { ...FILE_HEADERS, ...validators, ...headers } };
}
