import assert from "node:assert/strict";
import { test } from "node:test";
import { editDistance, nearestPages } from "./nearest-pages.ts";

test("nearestPages puts the likely page first", () => {
  const cases: [string, string][] = [
    ["/netwroks", "/networks"],
    ["/workflow/x", "/networks"],
    ["/tolo", "/tool"],
    ["/Runs/1", "/runs"],
    ["/provenance", "/prov"],
  ];
  for (const [path, first] of cases) assert.equal(nearestPages(path)[0]?.to, first, path);
  assert.equal(nearestPages("/anything").length, 3);
});

test("editDistance", () => {
  const cases: [string, string, number][] = [
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["kitten", "sitting", 3],
  ];
  for (const [from, to, distance] of cases) assert.equal(editDistance(from, to), distance);
});
