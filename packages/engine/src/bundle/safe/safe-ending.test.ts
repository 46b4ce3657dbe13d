import assert from "node:assert/strict";
import { test } from "node:test";
import { safeEnding } from "./safe-ending.ts";

test("only endings that indicate a format are kept, at most two", () => {
  const cases = {
    "sub-01.nii.gz": ".nii.gz",
    "a.smith": "",
    "x.anna.txt": ".txt",
    plain: "",
    "a.b.tar.gz.txt": ".gz.txt",
    "A.JSON": ".JSON",
    "v1.2": "",
  };
  for (const [name, expected] of Object.entries(cases)) assert.equal(safeEnding(name), expected, name);
});
