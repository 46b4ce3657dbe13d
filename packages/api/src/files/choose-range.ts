/** Which bytes to send; `end` is the last byte, inclusive. */
export type RangeChoice =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  | { readonly kind: "unsatisfiable" };

const WHOLE: RangeChoice = { kind: "whole" };

/**
 * Chooses by a Range header (RFC 9110 section 14). One range is honoured; several, other units and what cannot be
 * parsed are ignored, as the RFC allows, and give the whole.
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
