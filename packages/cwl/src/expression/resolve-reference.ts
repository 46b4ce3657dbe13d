import { CwlFailure } from "../cwl-failure.ts";
import { fieldOf, isArray, isObject, kindText } from "../values/value-kind.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";

/** The segments of a parameter reference such as `inputs.reads[0].basename`: names are strings, indexes numbers. */
export type Reference = readonly [root: string, ...segments: (string | number)[]];

const ROOT = /^\s*([\p{L}\p{N}_]+)/u;
const SEGMENT = /\.([\p{L}\p{N}_]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/uy;

/**
 * Parses the text between `$(` and `)` as a parameter reference; undefined if it is something else, that is, JavaScript.
 * CWL v1.2 CommandLineTool.html#Parameter_references.
 */
export function parseReference(code: string): Reference | undefined {
  const root = ROOT.exec(code);
  if (root?.[1] === undefined) return undefined;
  const trimmed = code.trimEnd();
  const segments: (string | number)[] = [];
  let at = root[0].length;
  while (at < trimmed.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(trimmed);
    if (match === null) return undefined;
    segments.push(segmentOf(match));
    at = SEGMENT.lastIndex;
  }
  return [root[1], ...segments];
}

function segmentOf(match: RegExpExecArray): string | number {
  const [, symbol, single, double, index] = match;
  if (index !== undefined) return Number(index);
  return symbol ?? (single ?? double ?? "").replaceAll(/\\(.)/gsu, "$1");
}

/** The value of a reference, or an EXPRESSION failure, which is not thrown because a script may still find a value. */
export type Resolved = { readonly value: CwlValue } | { readonly failure: CwlFailure };

/** Looks up a reference in the variables. `null` alone is the value null; an array has `length`. */
export function resolveReference(reference: Reference, variables: CwlObject): Resolved {
  const [root, ...segments] = reference;
  if (root === "null" && segments.length === 0) return { value: null };
  let path = root;
  let value = fieldOf(variables, root);
  if (value === undefined) return { failure: unknownRoot(root, variables) };
  for (const segment of segments) {
    const next = step(value, segment);
    if (next === undefined) return { failure: notFound(path, value, segment) };
    value = next;
    path += typeof segment === "number" ? `[${segment}]` : `.${segment}`;
  }
  return { value };
}

function step(value: CwlValue, segment: string | number): CwlValue | undefined {
  if (typeof segment === "number") return isArray(value) || typeof value === "string" ? value[segment] : undefined;
  if (isArray(value)) return segment === "length" ? value.length : undefined;
  return isObject(value) ? fieldOf(value, segment) : undefined;
}

function unknownRoot(root: string, variables: CwlObject): CwlFailure {
  const known = Object.keys(variables).map((name) => `\`${name}\``);
  return new CwlFailure("EXPRESSION", `\`${root}\` is not known here; an expression can use ${known.join(", ")}`);
}

function notFound(path: string, value: CwlValue, segment: string | number): CwlFailure {
  const name = typeof segment === "number" ? `element ${segment}` : `field \`${segment}\``;
  if (!isObject(value)) return new CwlFailure("EXPRESSION", `\`${path}\` is ${kindText(value)} and has no ${name}`);
  const fields = Object.keys(value)
    .slice(0, 12)
    .map((field) => `\`${field}\``);
  const holds = fields.length === 0 ? "no fields" : `only ${fields.join(", ")}`;
  return new CwlFailure("EXPRESSION", `\`${path}\` has no ${name}, ${holds}`);
}
