import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "./parse-json.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("parseJson gives the value", () => {
  const found = parseJson(Buffer.from('\ufeff{"a":[1,"é"],"constructor":{"prototype":1}}'));
  assert.deepEqual(found, JSON.parse('{"a":[1,"é"],"constructor":{"prototype":1}}'));
  assert.ok(Array.isArray(parseJson(Buffer.from(nested(64)))));
});

const REFUSED: Readonly<Record<string, readonly [bytes: Buffer, code: string, error: Record<string, unknown>]>> = {
  empty: [Buffer.alloc(0), "malformed-json", { code: "empty-body" }],
  "not UTF-8": [Buffer.from([0x22, 0xff, 0x22]), "malformed-json", { code: "not-utf-8" }],
  "broken in its third line": [
    Buffer.from('{\n  "a": 1,\n  "é": }\n'),
    "malformed-json",
    { code: "json-syntax", line: 3, column: 8 },
  ],
  "too deep": [
    Buffer.from(`{"inputs":${nested(64)}}`),
    "malformed-request",
    { code: "too-deep", pointer: `/inputs${"/0".repeat(63)}` },
  ],
  "endlessly deep": [Buffer.from(nested(100_000)), "malformed-request", { code: "too-deep", pointer: "/0".repeat(64) }],
  "with half of a character": [
    Buffer.from('{"tags":{"a":"\\ud800b"}}'),
    "invalid-body",
    { code: "lone-surrogate", pointer: "/tags/a" },
  ],
  "with half of a character in a key": [
    Buffer.from('{"\\udc00":1}'),
    "invalid-body",
    { code: "lone-surrogate", pointer: "/\udc00" },
  ],
  "with a prototype": [
    Buffer.from('{"a/b":[{"__proto__":{}}]}'),
    "invalid-body",
    { code: "forbidden-key", pointer: "/a~1b/0/__proto__" },
  ],
};

test("parseJson refuses a text that is", async (t) => {
  for (const [name, [bytes, code, error]] of Object.entries(REFUSED))
    await t.test(name, () => {
      assert.throws(
        () => parseJson(bytes),
        (refusal: { code: string; errors: readonly Record<string, unknown>[] }) => {
          const { detail: _detail, ...rest } = refusal.errors[0] ?? {};
          assert.deepEqual([refusal.code, rest], [code, error]);
          return true;
        },
      );
    });
});
