import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { numberQuery, wholeQuery } from "./parameters.ts";

const whole = wholeQuery(0, 500, "");
const part = numberQuery(z.number().min(0).max(1));

test("a number in a query is decimal", () => {
  assert.deepEqual([whole.parse("0"), whole.parse("500"), whole.parse(undefined)], [0, 500, undefined]);
  assert.deepEqual([part.parse("0.25"), part.parse("1e-7")], [0.25, 1e-7]);
  for (const text of ["", " ", "0x10", "+1", " 1", "1 ", "1_0", "501", "-1", "1.5", "NaN", "Infinity", "true"])
    assert.equal(whole.safeParse(text).success, false, text);
});
