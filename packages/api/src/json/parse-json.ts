import { isUtf8 } from "node:buffer";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { locateJsonError } from "@weft/shared/json/locate-json-error.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { JSON_DEPTH_LIMIT, type JsonLimits } from "../http/http-limits.ts";
import { findUnsafeValue } from "./find-unsafe-value.ts";
import { parseInSlices, SliceFault } from "./parse-in-slices.ts";
import { refuseManyValues } from "./refuse-many-values.ts";

/** Larger bodies are parsed in slices. */
const LARGE_BYTES = 512 * 1024;

/**
 * Like parseJson, but may take many turns of the loop, and counts the values first. Locates a fault in a large body by byte
 * instead of line and column.
 */
export async function parseJsonBody(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  await refuseManyValues(bytes, limits);
  if (bytes.length <= LARGE_BYTES) return parseJson(bytes);
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8", "not-utf-8");
  const start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  try {
    const { value, isUnsafe } = await parseInSlices(bytes.subarray(start), JSON_DEPTH_LIMIT);
    if (isUnsafe) refuseUnsafe(value);
    return value;
  } catch (error) {
    if (!(error instanceof SliceFault)) throw error;
    if (error.kind === "too-deep") throw tooDeep(undefined);
    throw malformed(
      `The body is not valid JSON; look for a syntax error after byte ${start + error.offset}`,
      "json-syntax",
    );
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Parses the bytes of a JSON body. Refuses with `malformed-json`, line and column (both from 1, columns in UTF-16 units),
 * with `malformed-request` for nesting deeper than 64 and with `invalid-body` for keys called `__proto__` and half characters.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  const value = parseOrRefuse(text);
  refuseUnsafe(value);
  return value;
}

function refuseUnsafe(value: unknown): void {
  const unsafe = findUnsafeValue(value, JSON_DEPTH_LIMIT);
  if (unsafe === undefined) return;
  if (unsafe.kind === "too-deep") throw tooDeep(unsafe.pointer);
  const { kind, pointer } = unsafe;
  const [what, detail] = FORBIDDEN[kind];
  throw new Refusal("invalid-body", `The body has a ${what} that is not allowed`, {
    errors: [{ pointer, code: kind, detail }],
  });
}

const FORBIDDEN = {
  "forbidden-key": ["key", "`__proto__` cannot be the name of anything"],
  "lone-surrogate": ["text", "This text contains half of a character (a lone surrogate)"],
} as const;

function tooDeep(pointer: string | undefined): Refusal {
  const detail = `Nothing may be nested deeper than ${JSON_DEPTH_LIMIT} levels`;
  const error = { ...(pointer === undefined ? {} : { pointer }), code: "too-deep", detail };
  return new Refusal("malformed-request", `The body is nested deeper than ${JSON_DEPTH_LIMIT} levels`, {
    errors: [error],
  });
}

function decodeUtf8(bytes: Buffer): string {
  if (bytes.length === 0) throw malformed("The body is empty, expected JSON", "empty-body");
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8", "not-utf-8");
  return new TextDecoder().decode(bytes);
}

function parseOrRefuse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const fault = locateJsonError(text);
    // If the text has no error, JSON.parse failed for another reason, which is not the sender's fault.
    if (fault === undefined) throw error;
    const { expected, line, column } = fault;
    throw malformed(`Expected ${expected} at line ${line}, column ${column}`, "json-syntax", { line, column });
  }
}

function malformed(
  detail: string,
  code: string,
  place: { readonly line?: number; readonly column?: number } = {},
): Refusal {
  return new Refusal("malformed-json", detail, { errors: [{ code, detail, ...place }] });
}
