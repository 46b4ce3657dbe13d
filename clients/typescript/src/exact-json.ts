/** JSON in which whole numbers of 64 bits keep their digits: they are a `bigint` beyond 2^53. */

interface JsonWithSources {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON?(text: string): unknown;
}

const json = JSON as JsonWithSources; // newer than the compiler's description

/** Like JSON.parse. */
export function parseExact(text: string): unknown {
  if (!/(?:[[:,\s]-?|^-?)\d{16}/.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) ? exactNumber(value, context?.source) : value,
  );
}

/** Like JSON.stringify, which throws for a `bigint`. */
export function writeExact(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? rawNumber(item) : item), indent);
}

function exactNumber(value: number, source: string | undefined): number | bigint {
  if (!Number.isInteger(value) || Math.abs(value) > 2 ** 63) return value;
  if (source === undefined) throw new TypeError(TOO_OLD);
  const whole = /^-?\d+$/.test(source) ? BigInt(source) : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : value;
}

function rawNumber(value: bigint): unknown {
  if (json.rawJSON === undefined) throw new TypeError(TOO_OLD);
  return json.rawJSON(value.toString());
}

const TOO_OLD = "This JavaScript cannot keep the digits of whole numbers beyond 2^53; use Node 22 or a newer browser";
