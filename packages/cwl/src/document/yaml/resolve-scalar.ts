import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import type { ScalarValue } from "./yaml-node.ts";

const INTEGER = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/**
 * The value of a plain (unquoted) scalar by the core schema of YAML 1.2, section 10.3. Infinity and not-a-number remain
 * strings, because JSON cannot represent them.
 */
export function resolveScalar(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (INTEGER.test(text) || OCTAL.test(text) || HEXADECIMAL.test(text)) return wholeNumber(text);
  return FLOAT.test(text) ? Number(text) : text;
}
