import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseManyValues } from "./refuse-many-values.ts";

const FILLER = `"${"y".repeat(300_000)}"`;
const tooMany = { code: "body-too-large" };

test("values are counted before they are made", async () => {
  for (const item of ["[]", "{}", "1", '{"a":1}', '""'])
    await assert.rejects(refuseManyValues(Buffer.from(`[${`${item},`.repeat(150_000)}1]`), 100_000), tooMany, item);
  await refuseManyValues(Buffer.from(`[${"1,".repeat(150_000)}1]`), 150_002);
});

test("what is in a string is no value", async () => {
  const text = `"${String.raw`,[{\",\\\\\"`.repeat(50_000)}"`;
  await refuseManyValues(Buffer.from(`[${text},${FILLER}]`), 10);
  await assert.rejects(refuseManyValues(Buffer.from(`["\\\\",${FILLER},${"1,".repeat(20)}1]`), 10), tooMany);
  // One that does not end is for the parser.
  await refuseManyValues(Buffer.from(FILLER.slice(0, -1)), 10);
});
