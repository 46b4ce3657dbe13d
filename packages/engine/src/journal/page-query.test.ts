import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { decodeToken, encodeToken } from "./page-query.ts";

const part = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
);
const kindsOf = (key: readonly (string | number)[]) =>
  key.map((value) => (typeof value === "string" ? ("string" as const) : ("number" as const)));

test("a page token contains the key from which it was made", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (key) =>
      assert.deepEqual(decodeToken(encodeToken(key), kindsOf(key)), key),
    ),
  );
});

test("a token of another list, or an invalid one, is refused with an explanation", () => {
  const foreign = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.json().map((text) => Buffer.from(text).toString("base64url")),
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
  );
  fc.assert(
    fc.property(foreign, (token) => {
      let key;
      try {
        key = decodeToken(token, ["string", "number"]);
      } catch (error) {
        return assert.ok(error instanceof Refusal);
      }
      assert.deepEqual(kindsOf(key ?? []), ["string", "number"]);
    }),
    { numRuns: 2000 },
  );
});
