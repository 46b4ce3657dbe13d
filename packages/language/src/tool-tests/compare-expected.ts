import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isNumeric, numberDistance } from "@weft/cwl/values/number-distance.ts";
import { isArray, isObject } from "@weft/cwl/values/value-kind.ts";
import type { Margin, Range } from "./tool-test.ts";
import type { Judged } from "./unmet.ts";

/** Whether a value is as expected; numbers may differ by the margin, also within lists and records. */
export function isWithin(actual: CwlValue, expected: CwlValue, margin: Margin): boolean {
  return firstDifference(actual, expected, margin) === undefined;
}

/** One line that says how a value differs from the expected one. */
export function differenceOf(actual: CwlValue, expected: CwlValue, margin: Margin): string {
  const found = firstDifference(actual, expected, margin) ?? { place: "", left: actual, right: expected };
  const where = found.place === "" ? "" : `${found.place} `;
  if (found.right === undefined) return `${where}is ${shownValue(found.left)}, expected nothing`;
  return `${where}is ${shownValue(found.left)}, expected ${shownValue(found.right)}${shownMargin(found.right, margin)}`;
}

/** A value that is written as one word or number. */
export function isPlain(value: CwlValue): value is string | number | bigint | boolean | null {
  return value === null || typeof value !== "object";
}

const SHOWN = 200;

export function shownValue(value: CwlValue | undefined): string {
  if (value === undefined) return "missing";
  const text = typeof value === "bigint" ? `${value}` : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function shownMargin(expected: CwlValue, { absolute, relative }: Margin): string {
  if (!isNumeric(expected)) return "";
  const margins = [absolute > 0 ? `${absolute}` : "", relative > 0 ? `${relative * 100} %` : ""].filter(
    (one) => one !== "",
  );
  return margins.length === 0 ? "" : ` ± ${margins.join(" + ")}`;
}

interface Difference {
  readonly place: string;
  readonly left: CwlValue | undefined;
  readonly right: CwlValue | undefined;
}

function firstDifference(left: CwlValue, right: CwlValue, margin: Margin, place = ""): Difference | undefined {
  if (isArray(left) && isArray(right)) return listDifference(left, right, margin, place);
  if (isObject(left) && isObject(right)) return fieldDifference(left, right, margin, place);
  if (isNumeric(left) && isNumeric(right) && isNear(left, right, margin)) return undefined;
  return left === right ? undefined : { place, left, right };
}

function listDifference(
  left: readonly CwlValue[],
  right: readonly CwlValue[],
  margin: Margin,
  place: string,
): Difference | undefined {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index], right[index]];
    const at = `${place}[${index}]`;
    const found =
      a === undefined || b === undefined ? { place: at, left: a, right: b } : firstDifference(a, b, margin, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldDifference(
  left: { readonly [name: string]: CwlValue },
  right: { readonly [name: string]: CwlValue },
  margin: Margin,
  place: string,
): Difference | undefined {
  for (const name of new Set([...Object.keys(right), ...Object.keys(left)])) {
    const [a, b] = [left, right].map((object) => (Object.hasOwn(object, name) ? object[name] : undefined));
    const at = place === "" ? name : `${place}.${name}`;
    const found =
      a === undefined || b === undefined ? { place: at, left: a, right: b } : firstDifference(a, b, margin, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isNear(actual: number | bigint, expected: number | bigint, { absolute, relative }: Margin): boolean {
  return numberDistance(actual, expected) <= absolute + relative * Math.abs(Number(expected));
}

/** Compares a count with a range. The actual count can replace an expected number, but not bounds. */
export function inRange(actual: number, { min, max }: Range, unit: string): Judged {
  if (actual >= min && actual <= max) return undefined;
  const range = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return { message: `has ${actual} ${unit}, expected ${range}`, ...(min === max ? { actual } : {}) };
}
