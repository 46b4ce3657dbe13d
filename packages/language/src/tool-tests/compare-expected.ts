import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isNumeric, numberDistance } from "@weft/cwl/values/number-distance.ts";
import { fieldOf, isArray, isObject } from "@weft/cwl/values/value-kind.ts";
import type { Judged, Margin, Range } from "./tool-test.ts";

/**
 * Compares a value with the expected one; numbers may differ by the margin, also within lists and records. Only one word or
 * number can replace another.
 */
export function compareValues(actual: CwlValue, expected: CwlValue, margin: Margin): Judged {
  const found = firstDifference(actual, expected, margin);
  if (found === undefined) return undefined;
  const { place, left, right } = found;
  const wanted = right === undefined ? "nothing" : `${shownValue(right)}${shownMargin(right, margin)}`;
  const message = `${place === "" ? "" : `${place} `}is ${shownValue(left)}, expected ${wanted}`;
  return { message, ...(isPlain(actual) && isPlain(expected) ? { actual } : {}) };
}

/** A value that is written as one word or number. */
function isPlain(value: CwlValue): value is string | number | bigint | boolean | null {
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
  const margins = [absolute > 0 ? `${absolute}` : "", relative > 0 ? `${relative * 100}%` : ""].filter(
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
  const parts = partsOf(left, right, place);
  if (parts !== undefined) return firstOf(parts, margin);
  if (isNumeric(left) && isNumeric(right) && isNear(left, right, margin)) return undefined;
  return left === right ? undefined : { place, left, right };
}

/** The items of two lists, or the fields of two records, in pairs; undefined for other values. */
function partsOf(left: CwlValue, right: CwlValue, place: string): readonly Difference[] | undefined {
  if (isArray(left) && isArray(right))
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
      return { place: `${place}[${index}]`, left: left[index], right: right[index] };
    });
  if (!isObject(left) || !isObject(right)) return undefined;
  return [...new Set([...Object.keys(right), ...Object.keys(left)])].map((name) => {
    return { place: place === "" ? name : `${place}.${name}`, left: fieldOf(left, name), right: fieldOf(right, name) };
  });
}

function firstOf(parts: readonly Difference[], margin: Margin): Difference | undefined {
  for (const part of parts) {
    const { place, left, right } = part;
    const found = left === undefined || right === undefined ? part : firstDifference(left, right, margin, place);
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
