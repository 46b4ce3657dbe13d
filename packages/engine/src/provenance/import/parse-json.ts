import { parseExactJson } from "@weft/shared/json/exact-json.ts";

/** Parses JSON; undefined for invalid JSON, which the following schema check reports. */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
