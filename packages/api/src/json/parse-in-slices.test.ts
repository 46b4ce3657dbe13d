import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInSlices, SliceFault } from "./parse-in-slices.ts";
import { parseJsonBody } from "./parse-json.ts";

const parse = (bytes: Buffer) =>
  parseJsonBody(bytes, { maxValues: Number.POSITIVE_INFINITY, maxFields: Number.POSITIVE_INFINITY });

const PADDING = "-".repeat(72);
const strings = (count: number) => Array.from({ length: count }, (_, at) => `s${at}, "[{\\ é${PADDING}`);
const large = "x".repeat(600_000);

const VALUES: readonly (readonly [string, unknown])[] = [
  ["a long list in an object", { network: "n", inputs: { a: strings(8000), b: 1 } }],
  ["a list of lists", { a: [strings(5000), [], [[1], strings(3000)], 5] }],
  ["an object of many fields", Object.fromEntries(strings(6000).map((key, at) => [key, { at }]))],
  ["a long string between others", [1, { text: large, next: null }, "two", large, true]],
  ["a text by itself", large],
  ["fields named like those of every object", { constructor: strings(8000), toString: { valueOf: large } }],
];
for (const [name, value] of VALUES) {
  for (const [style, indent] of [
    ["compact", undefined],
    ["indented", 2],
  ] as const) {
    test(`parses ${name}, ${style}`, async () => {
      const text = JSON.stringify(value, null, indent);
      assert.ok(text.length > 512 * 1024);
      assert.deepEqual(await parse(Buffer.from(`\ufeff ${text}\n`)), value);
    });
  }
}

test("whole numbers of 64 bits keep their digits across slices", async () => {
  const longs = Array.from({ length: 28_000 }, (_, at) => 2n ** 63n - 1n - BigInt(at));
  assert.deepEqual(await parse(Buffer.from(`{"a":{"b":[${longs.join(",")}]}}`)), { a: { b: longs } });
});

test("blanks alone make an empty list and an empty object", async () => {
  const blanks = " ".repeat(30_000);
  const { value } = await parseInSlices(Buffer.from(`{"a":[${blanks}],"b":{${blanks}}}`), 64);
  assert.deepEqual(value, { a: [], b: {} });
});

const items = JSON.stringify(strings(8000)).slice(1, -1);
const FAULTS: readonly (readonly [string, string])[] = [
  ["a comma at the end", `[${items},]`],
  ["a comma at the beginning", `[,${items}]`],
  ["two commas", `[${items},,${items}]`],
  ["two commas around a large value", `[[${items}],,1]`],
  ["a list that ends as an object", `[${items}}`],
  ["a list that does not end", `[${items}`],
  ["something after the end", `[${items}] 1]`],
  ["a list after a list", `[${items}][${items}]`],
  ["a string that does not end", `["${large}]`],
  ["an object without a key", `{"a":1,[${items}]}`],
  ["an object without a colon", `{"a" [${items}]}`],
  ["an object with a key that is not a string", `{1:[${items}]}`],
  ["a wrong word in the middle", `[${items},nul,${items}]`],
];
for (const [name, text] of FAULTS) {
  test(`refuses ${name}`, async () => {
    assert.throws(() => JSON.parse(text));
    await assert.rejects(parseInSlices(Buffer.from(text), 64), SliceFault);
    await assert.rejects(parse(Buffer.from(text)), { code: "malformed-json" });
  });
}

test("refuses values that are nested too deep", async () => {
  for (const text of ["[".repeat(400_000) + "]".repeat(400_000), `[${items},${"[".repeat(65)}${"]".repeat(65)}]`])
    await assert.rejects(parse(Buffer.from(text)), { code: "malformed-request" });
  const fits = `[${items},${"[".repeat(63)}${"]".repeat(63)}]`;
  assert.ok(Array.isArray(await parse(Buffer.from(fits))));
});

test("refuses a key called __proto__ at any depth", async () => {
  for (const text of [`{"__proto__":[${items}]}`, `{"a":[${items}],"b":{"__proto__":1}}`])
    await assert.rejects(parse(Buffer.from(text)), { code: "invalid-body" });
});

test("yields while it parses", async () => {
  const bytes = Buffer.from(JSON.stringify({ a: strings(40_000) }));
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  await parse(bytes);
  clearImmediate(counting);
  assert.ok(turns > 2, `${turns} turns`);
});
