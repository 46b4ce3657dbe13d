import type { OpenApi, Schema } from "./openapi-contract.ts";
import type { Random } from "./random.ts";

/** The words of a text. */
export const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Texts that have broken servers. */
export const NASTY_TEXTS: readonly string[] = [
  ...wordsOf(`
    0 -1 1e309 NaN null true [] {} __proto__ constructor ../../../../etc/passwd %00 %2e%2e%2f
    <script>alert(1)</script> ${7 * 7} 9007199254740993 2026-02-30T00:00:00.000Z file:///etc/passwd
    weft-data://catalog/../../weft.db weft-data://%2e%2e/x form:x weft-data://catalog/%zz weft-data://catalog/%ff *
`),
  "",
  " ",
  "\\..\\..",
  "a".repeat(600),
  "'; DROP TABLE runs; --",
  "\u202eabc",
  "\u{1f4a9}",
  "\ud800",
  "\u0000",
  "\r\nX-Injected: 1",
  `weft-data://catalog/${"a".repeat(300)}`,
  "ä".repeat(200),
];

const NASTY_VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, [], [[]], {}],
  { class: "File" },
  { class: "File", location: "file:///etc/passwd" },
  { class: "File", location: 7 },
  { class: "Directory", listing: [{ class: "File" }] },
];

export interface ValueOptions {
  readonly random: Random;
  readonly document: OpenApi;
  /** The probability that a value does not match the schema. */
  readonly wrongness: number;
  /** Values that are known to exist, by the name of the parameter or field. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

const DEEPEST = 6;

/** A value for a schema, which matches it in most cases. */
export function fuzzValue(schema: Schema, name: string, options: ValueOptions, depth = 0): unknown {
  const { random, document, wrongness, known } = options;
  if (random.isBelow(wrongness)) return random.isBelow(0.6) ? random.pick(NASTY_TEXTS) : random.pick(NASTY_VALUES);
  const given = known[name] ?? [];
  if (given.length > 0 && random.isBelow(0.8)) return random.pick(given);
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.slice("#/components/schemas/".length)];
    return depth > DEEPEST ? {} : fuzzValue(target ?? {}, name, options, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  const choices = schema.enum ?? schema.examples ?? [];
  if (choices.length > 0 && random.isBelow(0.8)) return random.pick(choices);
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  if (alternatives.length > 0) return fuzzValue(random.pick(alternatives), name, options, depth + 1);
  return ofType(schema, name, options, depth);
}

function ofType(schema: Schema, name: string, options: ValueOptions, depth: number): unknown {
  const { random } = options;
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "object":
      return depth > DEEPEST ? {} : fuzzObject(schema, options, depth);
    case "array":
      return Array.from({ length: random.below(4) }, () => fuzzValue(schema.items ?? {}, name, options, depth + 1));
    case "boolean":
      return random.isBelow(0.5);
    case "integer":
    case "number":
      return (schema.minimum ?? 0) + random.below(Math.min(1000, (schema.maximum ?? 1000) - (schema.minimum ?? 0) + 1));
    case "string":
      return schema.format === "date-time"
        ? "2026-11-21T02:02:14.617Z"
        : random.pick(["a", "sub-01", "x y", ...NASTY_TEXTS]);
    default:
      return random.isBelow(0.5) ? random.pick(NASTY_VALUES) : random.pick(NASTY_TEXTS);
  }
}

/** Replaces one leaf or branch of a value: a value that is otherwise valid gets far into the server. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.isBelow(0.15))
    return random.isBelow(0.7) ? random.pick(NASTY_TEXTS) : random.pick(NASTY_VALUES);
  const names = Object.keys(value);
  if (names.length === 0) return value;
  const chosen = random.pick(names);
  const entries = Object.entries(value).map(
    ([key, item]) => [key, key === chosen ? mutate(item, random) : item] as const,
  );
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function fuzzObject(schema: Schema, options: ValueOptions, depth: number): unknown {
  const { random } = options;
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || random.isBelow(0.4))
    .map(([name, property]) => [name, fuzzValue(property, name, options, depth + 1)] as const);
  const isOpen = typeof schema.additionalProperties === "object";
  const more =
    isOpen || random.isBelow(options.wrongness) ? [[random.pick(NASTY_TEXTS), random.pick(NASTY_VALUES)] as const] : [];
  return Object.fromEntries([...entries, ...more]);
}
