import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chooseRange } from "./plan-file-answer.ts";

const whole = { kind: "whole" };
const unsatisfiable = { kind: "unsatisfiable" };
const part = (start: number, end: number) => ({ kind: "part", start, end });

/** Headers that the property below does not make, for 10 bytes. */
const CASES: readonly (readonly [header: string, choice: object])[] = [
  ["", whole],
  ["bytes=4-100", part(4, 9)],
  ["bytes=-", whole],
  ["bytes=0-1,3-4", whole],
  ["lines=0-1", whole],
  ["bytes=a-b", whole],
  ["bytes=99999999999999999999-", unsatisfiable],
];

test("chooseRange returns the requested bytes", async (t) => {
  for (const [header, choice] of CASES)
    await t.test(`answers ${header}`, () => assert.deepEqual(chooseRange(header, 10), choice));
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
