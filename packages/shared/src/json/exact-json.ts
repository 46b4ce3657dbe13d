/**
 * JSON with every digit of its whole numbers. JavaScript's numbers are exact only up to 2^53, but a CWL `long` has 64
 * bits. A whole number beyond 2^53 that fits into 64 bits is a `bigint` in memory; all other numbers are plain numbers.
 * Importing this file also teaches JSON.stringify to write a `bigint` with all its digits.
 */

declare global {
  interface JSON {
    /** https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON(text: string): unknown;
  }
}

/** JSON.parse passes the text of a number to its reviver. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** JSON.stringify calls this for each `bigint` and would otherwise throw; JavaScript lets programs define it. */
// eslint-disable-next-line no-extend-native -- as the line above says
Object.defineProperty(BigInt.prototype, "toJSON", {
  value(this: bigint): unknown {
    if (!("rawJSON" in JSON)) throw new TypeError(OLD_BROWSER);
    return JSON.rawJSON(this.toString());
  },
  writable: true,
  configurable: true,
});

const MAY_HOLD_LONG = /(?:[[:,\s]-?|^-?)\d{16}/;

/** False if a JSON text certainly contains no large whole number. May be true because of digits within a string. */
export function mayHoldLong(text: string): boolean {
  return MAY_HOLD_LONG.test(text);
}

/**
 * Like JSON.parse, but keeps the digits of whole numbers of 64 bits, except in values that nest so deeply that calling
 * a reviver could exhaust the stack; no caller accepts them.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayHoldLong(text) || isDeeper(value, MAX_DEPTH)) return value;
  const reviver: Reviver = (_key, item, context) =>
    typeof item === "number" && !Number.isSafeInteger(item) ? numberOf(context?.source, item) : item;
  return JSON.parse(text, reviver);
}

/** Like `parseExactJson`; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** JSON.stringify with support for `bigint`: a module that calls it also loads the conversion above. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value);
}

const MAX_DEPTH = 1_000;
const WHOLE = /^-?\d+$/;

/** Throws in an old browser, which passes no source: the digits would be wrong. */
function numberOf(source: string | undefined, item: number): number | bigint {
  if (source === undefined && Number.isInteger(item) && Math.abs(item) < 2 ** 63) throw new TypeError(OLD_BROWSER);
  return source !== undefined && WHOLE.test(source) ? wholeNumber(source) : item;
}

const OLD_BROWSER =
  "This browser cannot keep the digits of whole numbers beyond 2^53. Use Chrome 114, Firefox 135, Safari 18.4 or later.";

/** The maximum number of characters: longer numbers have more than 64 bits, or start with zeros. */
const MAX_DIGITS = 40;

/** A whole number from text (decimal, or with `0x` or `0o`): a `bigint` only if a number would not be exact. */
export function wholeNumber(text: string): number | bigint {
  const number = Number(text);
  if (Number.isSafeInteger(number) || text.length > MAX_DIGITS) return number;
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : number;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}
