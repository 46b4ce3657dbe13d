import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { anyCharacter } from "../testing/any-character.ts";
import { resolveFileValue } from "./resolve-file-value.ts";
import { resolvePath, resolveReference } from "./resolve-reference.ts";
import { fileUriProblem, isWithin, joinUri, nameOfUri, pathOfUri, pathToUri, relativeUri } from "./file-uri.ts";

/** Every text that can be the name of a file: no slash, no NUL, at most 255 bytes. */
const name = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.stringMatching(/^[ -~]{1,20}$/),
    fc.stringMatching(/^[a-zA-Z%.|:\\?# \t\n\r\x01\x1f\x7f-]{1,6}$/),
  )
  .map((text) => text.toWellFormed().replaceAll(/[/\0]/g, "_"))
  .filter((text) => text !== "." && text !== "..");

const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);

test("every path survives the way to a URI and back", () => {
  fc.assert(
    fc.property(path, (original) => {
      const uri = pathToUri(original);
      assert.equal(fileURLToPath(uri), original);
      assert.equal(pathOfUri(uri), original);
      assert.equal(fileUriProblem(uri), undefined);
      assert.equal(nameOfUri(uri), original.slice(original.lastIndexOf("/") + 1));
    }),
    { numRuns: 2000 },
  );
});

test("a relative path means the same below every folder, by `path` and by an escaped `location`", () => {
  fc.assert(
    fc.property(path, path, (folder, inner) => {
      const base = `${pathToUri(folder)}/`;
      const relative = inner.slice(1);
      const uri = joinUri(base, relative);
      assert.equal(fileURLToPath(uri), folder + inner);
      assert.equal(resolvePath(relative, base), uri);
      assert.equal(base + relativeUri(relative), uri);
      assert.equal(resolveReference(`./${relativeUri(relative)}`, base), uri);
      const { value } = resolveFileValue({ class: "File", path: relative }, { baseUri: base, namespaces: new Map() });
      assert.equal(value["location"], uri);
      assert.ok(isWithin(uri, base));
    }),
    { numRuns: 1000 },
  );
});

test("two different names never have one URI", () => {
  fc.assert(
    fc.property(name, name, fc.constantFrom("", " ", "\u0001", "\t", "\n", "\u001f", "\u00a0"), (one, other, end) => {
      for (const [a, b] of [
        [one, other],
        [one, one + end],
        [one, end + one],
      ] as const)
        assert.equal(pathToUri(`/d/${a}`) === pathToUri(`/d/${b}`), a === b);
    }),
    { numRuns: 1000 },
  );
});

/** A location as people write it, not escaped. */
const LOCATIONS: readonly (readonly [string, string | undefined])[] = [
  ["x ", "file:///d/x%20"],
  [" x", "file:///d/%20x"],
  ["x\u0001", "file:///d/x%01"],
  ["x\t", "file:///d/x%09"],
  ["x\n", "file:///d/x%0A"],
  ["x%20y", "file:///d/x%20y"],
  ["a\\b", "file:///d/a%5Cb"],
  ["file:///d/x ", "file:///d/x%20"],
  ["https://e.org/x", "https://e.org/x"],
  ["data:,x%20", "data:,x%20"],
];
for (const [location, expected] of LOCATIONS) {
  test(`the location ${JSON.stringify(location)} names no other file`, () => {
    const value = { class: "File", location };
    const resolved = resolveFileValue(value, { baseUri: "file:///d/", namespaces: new Map() });
    assert.equal(resolved.value["location"], expected);
  });
}

test("slashes at the start and the end of a path have no effect", () => {
  assert.equal(resolvePath("//data/x", "file:///d/"), "file:///data/x");
  assert.equal(nameOfUri("file:///d/sub//"), "sub");
  assert.equal(pathOfUri("file:///d//sub///"), "/d/sub");
  assert.ok(isWithin("file:///d//sub//x", "file:///d/sub/"));
});

test("a line break at the end of a reference in a document is ignored", () => {
  assert.equal(resolveReference("tool.cwl\n", "file:///d/main.cwl"), "file:///d/tool.cwl");
});

test("a URI of a name that is not UTF-8 is refused", () => {
  assert.match(fileUriProblem("file:///d/caf%E9.txt") ?? "", /not UTF-8/);
  assert.match(fileUriProblem("file:///d/%ed%a0%80") ?? "", /not UTF-8/);
});
