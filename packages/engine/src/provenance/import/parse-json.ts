import { parseExactJson } from "@weft/shared/json/exact-json.ts";

/** Undefined for invalid JSON, which the schema check that follows reports. */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
