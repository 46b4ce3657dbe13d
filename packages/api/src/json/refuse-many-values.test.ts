import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseManyValues } from "./refuse-many-values.ts";

const FILLER = `"${"y".repeat(300_000)}"`;
const values = (maxValues: number) => ({ maxValues, maxFields: 10 });
const tooMany = { code: "body-too-large" };

test("counts values before it creates them", async () => {
  for (const item of ["[]", "{}", "1", '{"a":1}', '""'])
    await assert.rejects(
      refuseManyValues(Buffer.from(`[${`${item},`.repeat(150_000)}1]`), values(100_000)),
      tooMany,
      item,
    );
  await refuseManyValues(Buffer.from(`[${"1,".repeat(150_000)}1]`), values(150_002));
});

test("text in a string does not count as a value", async () => {
  const text = `"${String.raw`,[{\",\\\\\"`.repeat(50_000)}"`;
  await refuseManyValues(Buffer.from(`[${text},${FILLER}]`), values(10));
  await assert.rejects(refuseManyValues(Buffer.from(`["\\\\",${FILLER},${"1,".repeat(20)}1]`), values(10)), tooMany);
  // The parser reports a string that does not end.
  await refuseManyValues(Buffer.from(FILLER.slice(0, -1)), values(10));
});

test("the fields of each object are counted, and those of several are not added up", async () => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join()}}`;
  const list = (item: string) => Buffer.from(`[${FILLER},${item},${fields(10)}]`);
  await refuseManyValues(list(fields(10)), values(100));
  for (const item of [fields(11), `{"a":[${fields(11)}]}`, fields(10).replace("1}", '[{":":1}],"b":1}')])
    await assert.rejects(refuseManyValues(list(item), values(100)), /more than 10 fields; send fewer/, item);
  // The parser reports brackets that close nothing.
  await refuseManyValues(list(`]]}${fields(10)}`), values(100));
});
