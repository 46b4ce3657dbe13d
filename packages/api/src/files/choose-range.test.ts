import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chooseRange } from "./plan-file-answer.ts";

const whole = { kind: "whole" };
const unsatisfiable = { kind: "unsatisfiable" };
const part = (start: number, end: number) => ({ kind: "part", start, end });

const CASES: readonly (readonly [header: string, size: number, choice: object])[] = [
  ["", 10, whole],
  ["bytes=0-3", 10, part(0, 3)],
  ["bytes=4-", 10, part(4, 9)],
  ["bytes=4-100", 10, part(4, 9)],
  ["bytes=-3", 10, part(7, 9)],
  ["bytes=-30", 10, part(0, 9)],
  ["bytes=9-9", 10, part(9, 9)],
  ["bytes=10-", 10, unsatisfiable],
  ["bytes=-0", 10, unsatisfiable],
  ["bytes=0-", 0, unsatisfiable],
  ["bytes=-5", 0, unsatisfiable],
  ["bytes=5-4", 10, whole],
  ["bytes=-", 10, whole],
  ["bytes=0-1,3-4", 10, whole],
  ["lines=0-1", 10, whole],
  ["bytes=a-b", 10, whole],
  ["bytes=99999999999999999999-", 10, unsatisfiable],
];

test("chooseRange returns the requested bytes", async (t) => {
  for (const [header, size, choice] of CASES)
    await t.test(`answers ${header} of ${size} bytes`, () => assert.deepEqual(chooseRange(header, size), choice));
});

/** RFC 9110 section 14.1.2, byte by byte. */
function requested(first: number | undefined, last: number | undefined, size: number): readonly number[] {
  const bytes = Array.from({ length: size }, (_, index) => index);
  if (first === undefined) return last === undefined || last === 0 ? [] : bytes.slice(-last);
  return bytes.filter((byte) => byte >= first && byte <= (last ?? Infinity));
}

test("a range has the bytes that it asks for", () => {
  const bound = fc.option(fc.nat(30), { nil: undefined });
  fc.assert(
    fc.property(bound, bound, fc.nat(20), (first, last, size) => {
      fc.pre(first !== undefined || last !== undefined);
      const choice = chooseRange(`bytes=${first ?? ""}-${last ?? ""}`, size);
      const isBackward = first !== undefined && last !== undefined && last < first;
      const bytes = requested(first, last, size);
      const [start = 0, end = 0] = [bytes.at(0), bytes.at(-1)];
      const expected = bytes.length === 0 ? unsatisfiable : part(start, end);
      assert.deepEqual(choice, isBackward ? whole : expected);
    }),
    { numRuns: 2000 },
  );
});
