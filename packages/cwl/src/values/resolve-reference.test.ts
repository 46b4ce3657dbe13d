import assert from "node:assert/strict";
import { test } from "node:test";
import { identifierUri, relativeReference, resolvePath, resolveReference, shortName } from "./resolve-reference.ts";

const BASE = "file:///data/net/a%20b/main.cwl";

const REFERENCES: readonly (readonly [string, string])[] = [
  ["tool.cwl", "file:///data/net/a%20b/tool.cwl"],
  ["../x/../tool.cwl#id", "file:///data/net/tool.cwl#id"],
  ["a b.txt", "file:///data/net/a%20b/a%20b.txt"],
  ["a%23b.txt", "file:///data/net/a%20b/a%23b.txt"],
  ["/abs/x.txt", "file:///abs/x.txt"],
  ["https://example.org/x.cwl", "https://example.org/x.cwl"],
  ["#main", `${BASE}#main`],
];

for (const [reference, expected] of REFERENCES) {
  test(`resolveReference resolves ${reference}`, () => assert.equal(resolveReference(reference, BASE), expected));
}

const PATHS: readonly (readonly [string, string])[] = [
  ["a#b?c%20.txt", "file:///data/net/a%20b/a%23b%3Fc%2520.txt"],
  ["x:y.txt", "file:///data/net/a%20b/x:y.txt"],
  ["/abs/ü.txt", "file:///abs/%C3%BC.txt"],
];

for (const [path, expected] of PATHS) {
  test(`resolvePath resolves ${path}`, () => assert.equal(resolvePath(path, BASE), expected));
}

const RELATIVE: readonly (readonly [string, string])[] = [
  ["file:///data/net/a%20b/x.txt", "x.txt"],
  ["file:///data/net/a%20b/sub/x.txt", "sub/x.txt"],
  ["file:///data/net/x.txt", "../x.txt"],
  ["file:///data/net/a%20b/x:y.txt", "./x:y.txt"],
  ["file:///data/net/a%20b/", "./"],
  ["file:///elsewhere/x.txt", "file:///elsewhere/x.txt"],
  ["https://example.org/x.txt", "https://example.org/x.txt"],
];

for (const [uri, expected] of RELATIVE) {
  test(`relativeReference reverses ${uri}`, () => {
    assert.equal(relativeReference(uri, BASE), expected);
    assert.equal(resolveReference(expected, BASE), uri);
  });
}

test("identifiers of a document mean the same with and without #", () => {
  assert.equal(identifierUri("main", BASE), `${BASE}#main`);
  assert.equal(identifierUri("#main", BASE), `${BASE}#main`);
  assert.equal(identifierUri("other.cwl#x", BASE), "file:///data/net/a%20b/other.cwl#x");
});

test("shortName takes the last part", () => {
  assert.deepEqual(["#main/step/out", "out", "f.cwl#x", "a/b"].map(shortName), ["out", "out", "x", "b"]);
});
