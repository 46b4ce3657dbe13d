import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestPages } from "./nearest-pages.ts";

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
