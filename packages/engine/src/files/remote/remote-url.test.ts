import assert from "node:assert/strict";
import { test } from "node:test";
import { isRedacted, redactUrl, shownUrl } from "./remote-url.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["https://h.org/a.txt?x=1&y=%20#z", "https://h.org/a.txt?x=1&y=%20#z"],
  ["https://ann:pa%40ss@h.org/a@b.txt", "https://***@h.org/a@b.txt"],
  ["http://ann@h.org", "http://***@h.org"],
  ["https://h.org/a?X-Amz-Signature=abc&x=1", "https://h.org/a?X-Amz-Signature=***&x=1"],
  ["https://h.org/a?sig=a%2Bb%3D#f", "https://h.org/a?sig=***#f"],
  ["https://h.org/a?access_token=t&apikey=k&keyword=k", "https://h.org/a?access_token=***&apikey=***&keyword=k"],
  ["file:///a@b?token=1", "file:///a@b?token=1"],
];
for (const [location, expected] of CASES) {
  test(`redactUrl ${location}`, () => {
    assert.equal(redactUrl(location), expected);
    assert.equal(redactUrl(expected), expected);
    assert.equal(isRedacted(expected), expected !== location);
    assert.equal(isRedacted(location), false);
  });
}

test("shownUrl shortens data", () => assert.equal(shownUrl(`data:,${"x".repeat(100)}`), `data:,${"x".repeat(34)}…`));
