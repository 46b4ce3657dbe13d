import type { Context } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";

/** Properties of an open file. */
export interface FileFacts {
  /** The tag, including its quotes. */
  readonly entityTag: string;
  /** HTTP date. */
  readonly lastModified: string;
  readonly sizeBytes: number;
  /** Send only this many bytes from the end, and ignore ranges. */
  readonly tailBytes: number | undefined;
}

/** How to answer: the status, the bytes to send (`end` inclusive; none if it is before `start`), and the headers. */
export interface FilePlan {
  readonly status: 200 | 206 | 304 | 416;
  readonly bytes: { readonly start: number; readonly end: number } | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Plans the answer from the conditions and range of a request (RFC 9110 sections 13 and 14). */
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

/** If-Range is a tag (strong comparison) or a date. */
function isUnchanged(ifRange: string, { entityTag, lastModified }: FileFacts): boolean {
  return ifRange === "" || ifRange === entityTag || Date.parse(ifRange) === Date.parse(lastModified);
}

/** The bytes to send; `end` is the last byte, inclusive. */
type RangeChoice =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  | { readonly kind: "unsatisfiable" };

const WHOLE: RangeChoice = { kind: "whole" };

/**
 * Chooses the bytes for a Range header (RFC 9110 section 14). Only a single range is honored. Several ranges, other
 * units and invalid headers yield the whole file, as the RFC allows.
 */
export function chooseRange(header: string, sizeBytes: number): RangeChoice {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header);
  if (match === null) return WHOLE;
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? WHOLE : suffix(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return WHOLE;
  return start < sizeBytes ? { kind: "part", start, end } : { kind: "unsatisfiable" };
}

function suffix(lengthBytes: number, sizeBytes: number): RangeChoice {
  if (lengthBytes === 0 || sizeBytes === 0) return { kind: "unsatisfiable" };
  return { kind: "part", start: Math.max(0, sizeBytes - lengthBytes), end: sizeBytes - 1 };
}
