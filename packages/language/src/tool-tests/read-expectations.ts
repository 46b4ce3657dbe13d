import { oneOrList } from "@weft/cwl/document/fields/collection-readers.ts";
import { optional, readFields, readingNull } from "@weft/cwl/document/fields/read-fields.ts";
import { text, word, wrongKind } from "@weft/cwl/document/fields/scalar-readers.ts";
import { isTooDeep, report, within, type Reader } from "@weft/cwl/document/fields/scope.ts";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { readValue } from "@weft/cwl/document/type/read-value.ts";
import { positionOf, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { EXACT, type Check, type Expected, type Range, type Segment } from "./tool-test.ts";

/** `outputs`: a map from the names of outputs to their expectations. */
export const readOutputChecks: Reader<readonly Check[]> = namedChecks("field");

/** Checks of named parts: outputs, fields, entries of a Directory. */
function namedChecks(kind: "field" | "entry" | "secondary"): Reader<readonly Check[]> {
  return (node, scope) => {
    if (node.kind !== "mapping") return wrongKind(node, scope, "a map from names to what is expected");
    return node.entries.flatMap(({ key, value }) =>
      below({ kind, name: key }, readExpectation(value, within(scope, key)) ?? []),
    );
  };
}

/** The expectation of one value: the value itself, a list with the expectation of each item, or a map of checks. */
const readExpectation: Reader<readonly Check[]> = (node, scope) => {
  if (isTooDeep(scope, node)) return undefined;
  switch (node.kind) {
    case "scalar":
      return [check(node, { kind: "value", value: node.value, margin: EXACT })];
    case "sequence": {
      const length = { min: node.items.length, max: node.items.length };
      const items = node.items.map((item, index) =>
        below({ kind: "item", index }, readExpectation(item, within(scope, String(index))) ?? []),
      );
      return [checkAt(node, { kind: "count", range: length }), ...items.flat()];
    }
    case "mapping":
      return readChecks(node, scope);
  }
};

const readChecks = (node: MappingNode, scope: Parameters<typeof readExpectation>[1]): readonly Check[] => {
  const before = scope.diagnostics.length;
  const { value, absolute, relative, ...found } = readFields(node, FIELDS, scope);
  const margin = { absolute: absolute ?? 0, relative: relative ?? 0 };
  const checks = Object.values(found).flatMap((some) => some ?? []);
  if (value !== undefined)
    return [...checks, { ...value, expected: { kind: "value", value: value.value, margin } } satisfies Check];
  if (absolute !== undefined || relative !== undefined)
    report(scope, node, { code: "margin-without-value", message: "`absolute` and `relative` belong to a `value`" });
  if (checks.length === 0 && scope.diagnostics.length === before)
    report(scope, node, { code: "expects-nothing", message: "nothing is expected of this value" });
  return checks;
};

/** Reads a field that is one check, or a list of them. */
function checksOf<T>(read: Reader<T>, expect: (found: T) => Expected): Reader<readonly Check[]> {
  return oneOrList((node, scope) => {
    const found = read(node, scope);
    return found === undefined ? undefined : check(node, expect(found));
  });
}

const range: Reader<Range> = (node, scope) => {
  if (node.kind === "scalar" && isCount(node.value)) return { min: node.value, max: node.value };
  if (node.kind !== "mapping") return wrongKind(node, scope, "a whole number, or a map with `min` and `max`");
  const { min = 0, max = Number.POSITIVE_INFINITY } = readFields(node, BOUNDS, scope);
  return { min, max };
};

const count: Reader<number> = (node, scope) =>
  node.kind === "scalar" && isCount(node.value) ? node.value : wrongKind(node, scope, "a whole number of at least 0");

const BOUNDS = { min: optional(count), max: optional(count) };

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const distance: Reader<number> = (node, scope) =>
  node.kind === "scalar" && typeof node.value === "number" && node.value >= 0
    ? node.value
    : wrongKind(node, scope, "a number of at least 0");

const part: Reader<number> = (node, scope) =>
  node.kind === "scalar" && typeof node.value === "number" && node.value >= 0 && node.value <= 1
    ? node.value
    : wrongKind(node, scope, "a number from 0 to 1");

const checksum: Reader<string> = (node, scope) => {
  const found = text(node, scope);
  if (found === undefined || /^sha1\$[0-9a-f]{40}$/.test(found)) return found;
  return wrongKind(node, scope, "`sha1$` and 40 hexadecimal digits");
};

const pattern: Reader<string> = (node, scope) => {
  const found = text(node, scope);
  const fault = found === undefined ? undefined : faultOfPattern(found);
  return fault === undefined ? found : report(scope, node, { code: "invalid-pattern", message: fault });
};

function faultOfPattern(found: string): string | undefined {
  try {
    RegExp(found, "m");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A map from JSON pointers to values, or to values with a margin. */
const json: Reader<readonly Check[]> = (node, scope) => {
  if (node.kind !== "mapping") return wrongKind(node, scope, "a map from JSON pointers, such as `/mean`, to values");
  return node.entries.flatMap(({ key, keyNode, value }) => {
    const inner = within(scope, key);
    if (key !== "" && !key.startsWith("/")) {
      const hint = `write \`/${key.replaceAll(".", "/")}\``;
      report(inner, keyNode, { code: "invalid-pointer", message: "a JSON pointer starts with `/`", hint });
      return [];
    }
    const { found, margin } = readWithMargin(value, inner);
    if (found === undefined) return [];
    return [{ ...found, expected: { kind: "json", pointer: key, value: found.value, margin } } satisfies Check];
  });
};

function readWithMargin(node: YamlNode, scope: Parameters<typeof range>[1]) {
  if (node.kind !== "mapping") return { found: plainValue(node, scope), margin: EXACT };
  const { value, absolute = 0, relative = 0 } = readFields(node, VALUE_FIELDS, scope);
  if (value === undefined) report(scope, node, NO_VALUE);
  return { found: value, margin: { absolute, relative } };
}

const NO_VALUE = {
  code: "missing-field",
  message: "the field `value` is missing",
  hint: "write a map as `{value: {…}}`",
};

/** A value and its position; the readers of whole checks replace its expectation. */
const plainValue: Reader<Check & { readonly value: CwlValue }> = readingNull((node: YamlNode, scope) => {
  const value = readValue(node, scope) ?? null;
  return { ...check(node, { kind: "value", value, margin: EXACT }), value };
});

const image: Reader<readonly Check[]> = (node, scope) => {
  const isMap = node.kind === "mapping";
  const { file, tolerance = 0, outliers = 0 } = isMap ? readFields(node, IMAGE_FIELDS, scope) : onlyFile(node, scope);
  if (file === undefined) return undefined;
  const location = resolveReference(file, node.source.uri);
  if (location === undefined) return wrongKind(node, scope, "the path of an image");
  return [checkAt(node, { kind: "image", location, tolerance, outliers })];
};

const onlyFile = (...[node, scope]: Parameters<typeof text>) => {
  return { file: text(node, scope), tolerance: undefined, outliers: undefined };
};

const each: Reader<readonly Check[]> = (node, scope) => below({ kind: "each" }, readExpectation(node, scope) ?? []);

const VALUE_FIELDS = { value: optional(plainValue), absolute: optional(distance), relative: optional(distance) };

const IMAGE_FIELDS = { file: optional(text), tolerance: optional(part), outliers: optional(part) };

const FIELDS = {
  ...VALUE_FIELDS,
  class: optional(checksOf(word("File", "Directory"), (name) => ({ kind: "class", name }))),
  basename: optional(checksOf(text, (found) => ({ kind: "basename", text: found }))),
  checksum: optional(checksOf(checksum, (found) => ({ kind: "checksum", text: found }))),
  size: optional(checksOf(range, (found) => ({ kind: "size", range: found }))),
  lines: optional(checksOf(range, (found) => ({ kind: "lines", range: found }))),
  contents: optional(checksOf(text, (found) => ({ kind: "contents", text: found }))),
  contains: optional(checksOf(text, (found) => ({ kind: "contains", text: found }))),
  not_contains: optional(checksOf(text, (found) => ({ kind: "not_contains", text: found }))),
  matches: optional(checksOf(pattern, (found) => ({ kind: "matches", pattern: found }))),
  json: optional(json),
  image: optional(image),
  count: optional(checksOf(range, (found) => ({ kind: "count", range: found }))),
  each: optional(each),
  files: optional(namedChecks("entry")),
  fields: optional(namedChecks("field")),
  secondary_files: optional(namedChecks("secondary")),
};

/** A check of a value that can be updated, if it is one word or number. */
function check(node: YamlNode, expected: Expected): Check {
  const found = checkAt(node, expected);
  const isOwn = node.kind === "scalar" && node.included === undefined;
  return isOwn ? { ...found, at: { ...found.at, span: { start: node.offset, end: node.end } } } : found;
}

export function checkAt(node: YamlNode, expected: Expected): Check {
  return { at: positionOf(node), path: [], expected };
}

/** Checks of a part of a value. */
export function below(segment: Segment, checks: readonly Check[]): readonly Check[] {
  return checks.map((found) => ({ ...found, path: [segment, ...found.path] }));
}
