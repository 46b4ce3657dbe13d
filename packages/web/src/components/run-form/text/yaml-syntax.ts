import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import { CORE_SCHEMA, defineScalarTag, dump, DUMP_SCHEMA, load, YAMLException, type Schema } from "js-yaml/browser";
import { isObject } from "../../../format/value-text.ts";
import type { InputSyntax, ReadInputs } from "./input-syntax.ts";

/** The inputs as YAML 1.2, as `weft run DOCUMENT inputs.yml` and other CWL runners accept them. */
export const yamlSyntax: InputSyntax = { id: "yaml", label: "YAML", read, write };

/** Allows reasonable use of aliases, but not exponential expansion. */
const LIMITS = { maxAliases: 1000, maxDepth: 100 };

function read(text: string): ReadInputs {
  // An empty text is an empty object; the parser refuses empty documents.
  if (text.split("\n").every((line) => /^\s*(#.*|---\s*)?$/.test(line))) return { values: {} };
  try {
    return toInputs(load(text, { ...LIMITS, schema: withLongs(CORE_SCHEMA) }), text);
  } catch (error) {
    // The parser reports syntax errors only by throwing.
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    return { fault: `Line ${line + 1}, column ${column + 1}: ${explain(error.reason, text.split("\n")[line] ?? "")}` };
  }
}

/** A schema whose whole numbers keep their digits. */
function withLongs(schema: Schema): Schema {
  const tag = schema.tags.find(({ tagName }) => tagName === WHOLE);
  if (tag?.nodeKind !== "scalar") throw new Error("the schema has no whole numbers");
  return schema.withTags(
    defineScalarTag<unknown>(WHOLE, {
      ...tag,
      resolve: (source, isExplicit, name) => {
        const read: unknown = tag.resolve(source, isExplicit, name);
        return typeof read === "number" && EXACT.test(source) ? wholeNumber(source) : read;
      },
      identify: (value) => typeof value === "bigint" || tag.identify(value),
      represent: (value: unknown) => (typeof value === "bigint" ? value.toString() : tag.represent(value)),
    }),
  );
}

const WHOLE = "tag:yaml.org,2002:int";
/** YAML also has binary numbers and signs before `0x`, which nobody needs for more than 2^53. */
const EXACT = /^(?:[-+]?\d+|0x[\da-f]+|0o[0-7]+)$/i;

function toInputs(value: unknown, text: string): ReadInputs {
  if (!isObject(value)) return { fault: "Line 1, column 1: Inputs must be a map with one `name: value` per line" };
  const unwritable = findUnwritable(text, value);
  return unwritable === undefined ? { values: value } : { fault: unwritable };
}

/** The parser's message, with advice for common errors. */
function explain(reason: string, line: string): string {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  if (/\t/.test(line)) return `${sentence}; indent with spaces, not with tabs`;
  if (/bad indentation of a mapping/.test(reason) && /:\s.*:(\s|$)/.test(line))
    return `${sentence}; quote text that contains a colon and a space`;
  if (/deficient indentation|unexpected end/.test(reason))
    return `${sentence}; check for an unclosed bracket or quotation mark`;
  return sentence;
}

/** Inputs are sent as JSON, which has neither infinity nor NaN. */
function findUnwritable(text: string, value: unknown): string | undefined {
  if (!holdsUnwritable(value)) return undefined;
  const lines = text.split("\n");
  const line = lines.findIndex((each) => UNWRITABLE.test(each));
  const column = UNWRITABLE.exec(lines[line] ?? "")?.index ?? 0;
  return `Line ${line + 1}, column ${column + 1}: Infinity and NaN are not allowed in inputs`;
}

const UNWRITABLE = /[-+]?\.inf\b|\.nan\b/i;

function holdsUnwritable(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsUnwritable);
}

function write(values: Readonly<Record<string, unknown>>): string {
  return Object.keys(values).length === 0 ? "" : dump(values, { noRefs: true, schema: withLongs(DUMP_SCHEMA) });
}
