import type { Context } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import { chooseRange } from "./choose-range.ts";

/** What is known of an open file. */
export interface FileFacts {
  /** With its quotes. */
  readonly entityTag: string;
  /** HTTP date. */
  readonly lastModified: string;
  readonly sizeBytes: number;
  /** Only the last so many bytes; then ranges are not looked at. */
  readonly tailBytes: number | undefined;
}

/** How to answer: the status, the bytes to send (`end` inclusive; none are left when it lies before `start`), headers. */
export interface FilePlan {
  readonly status: 200 | 206 | 304 | 416;
  readonly bytes: { readonly start: number; readonly end: number } | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides by the conditions and the range of a request (RFC 9110 sections 13 and 14). */
export function planFileAnswer(ctx: Context, facts: FileFacts): FilePlan {
  const { sizeBytes, tailBytes } = facts;
  if (isKnown(ctx, facts)) return { status: 304, bytes: undefined, headers: {} };
  if (tailBytes !== undefined) return plan(200, Math.max(0, sizeBytes - tailBytes), sizeBytes - 1);
  const range = isUnchanged(ctx.get("If-Range"), facts) ? chooseRange(ctx.get("Range"), sizeBytes) : undefined;
  switch (range?.kind) {
    case "part":
      return plan(206, range.start, range.end, `bytes ${range.start}-${range.end}/${sizeBytes}`);
    case "unsatisfiable":
      return { status: 416, bytes: undefined, headers: { "Content-Range": `bytes */${sizeBytes}` } };
    case "whole":
    case undefined:
      return plan(200, 0, sizeBytes - 1);
  }
}

function plan(status: 200 | 206, start: number, end: number, contentRange?: string): FilePlan {
  const length = { "Content-Length": String(end - start + 1) };
  return {
    status,
    bytes: { start, end },
    headers: contentRange === undefined ? length : { ...length, "Content-Range": contentRange },
  };
}

/** If-Range: a tag, compared strongly, or a date. */
function isUnchanged(ifRange: string, { entityTag, lastModified }: FileFacts): boolean {
  return ifRange === "" || ifRange === entityTag || Date.parse(ifRange) === Date.parse(lastModified);
}
