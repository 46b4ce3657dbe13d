import { isUtf8 } from "node:buffer";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { JSON_DEPTH_LIMIT } from "../http/http-limits.ts";
import { findUnsafeValue } from "./find-unsafe-value.ts";
import { locateJsonError } from "./locate-json-error.ts";

/**
 * Parses the bytes of a JSON body. Refuses `malformed-json` with line and column (both from 1, columns in UTF-16 units),
 * `malformed-request` for nesting deeper than 64 and `invalid-body` for keys called `__proto__`.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  const value = parseOrRefuse(text);
  const unsafe = findUnsafeValue(value, JSON_DEPTH_LIMIT);
  if (unsafe === undefined) return value;
  if (unsafe.kind === "too-deep") {
    const error = {
      pointer: unsafe.pointer,
      code: "too-deep",
      detail: `Nothing may be nested deeper than ${JSON_DEPTH_LIMIT} levels`,
    };
    throw new Refusal("malformed-request", `The body is nested deeper than ${JSON_DEPTH_LIMIT} levels`, {
      errors: [error],
    });
  }
  const error = {
    pointer: unsafe.pointer,
    code: "forbidden-key",
    detail: "`__proto__` cannot be the name of anything",
  };
  throw new Refusal("invalid-body", "The body has a key that is not allowed", { errors: [error] });
}

function decodeUtf8(bytes: Buffer): string {
  if (bytes.length === 0) throw malformed("The body is empty, expected JSON", "empty-body");
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8", "not-utf-8");
  return new TextDecoder().decode(bytes);
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = locateJsonError(text);
    // A text that we find no fault with was refused for another reason, which is not the sender's.
    if (fault === undefined) throw error;
    const before = text.slice(0, fault.offset).split("\n");
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw malformed(`Expected ${fault.expected} at line ${place.line}, column ${place.column}`, "json-syntax", place);
  }
}

function malformed(
  detail: string,
  code: string,
  place: { readonly line?: number; readonly column?: number } = {},
): Refusal {
  return new Refusal("malformed-json", detail, { errors: [{ code, detail, ...place }] });
}
