import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSpan, spanText } from "./span-text.ts";

test("a span is written to the URL and read again", () => {
  assert.equal(spanText({ fromMs: 1200.4, toMs: 5399.6 }), "1200-5400");
  assert.deepEqual(parseSpan("1200-5400"), { fromMs: 1200, toMs: 5400 });
  assert.equal(spanText(undefined), "");
});

for (const text of ["", "5", "a-b", "9-9", "9-3", "-1-5", "1-2-3"])
  test(`“${text}” is no span, and the whole is shown`, () => {
    assert.equal(parseSpan(text), undefined);
  });
