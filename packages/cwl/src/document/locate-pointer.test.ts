import assert from "node:assert/strict";
import { test } from "node:test";
import { locatePointer } from "./locate-pointer.ts";

const TEXT = "reads:\n  - {class: File, path: a.fq}\n  - class: File\n    path: b.fq\na/b: 1\n";

const CASES: readonly (readonly [string, string | undefined])[] = [
  ["", "1:1"],
  ["/reads/0/path", "2:25"],
  ["/reads/1", "3:5"],
  ["/reads/1/path", "4:11"],
  ["/reads/7", "2:3"],
  ["/a~1b", "5:6"],
  ["/unknown", "1:1"],
];

for (const [pointer, expected] of CASES) {
  test(`locatePointer finds "${pointer}"`, () => {
    const place = locatePointer(TEXT, pointer);
    assert.equal(place && `${place.line}:${place.column}`, expected);
  });
}

test("locatePointer has no answer for a text that is no YAML", () =>
  assert.equal(locatePointer("a: [", "/a"), undefined));
