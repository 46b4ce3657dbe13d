import assert from "node:assert/strict";
import { it } from "node:test";
import { versionSchema } from "@weft/shared/records/primitives.ts";
import { pathProblem } from "./draft-file-path.ts";

it("refuses paths of files that would be lost or misinterpreted", () => {
  for (const path of ["__proto__", "DEPRECATED", "PINNED.json", "lib/PINNED.json", "other.cwl"])
    assert.notEqual(pathProblem(path), undefined, path);
  for (const path of ["lib/__proto__", "constructor", "toString", "deprecated.md", "lib/other.cwl"])
    assert.equal(pathProblem(path), undefined, path);
});

it("refuses versions whose folders have another meaning in a catalog", () => {
  for (const version of ["DEPRECATED", "PINNED.json", "tests", "examples", "Tests", "newest", "1.0.cwl"])
    assert.equal(versionSchema.safeParse(version).success, false, version);
  for (const version of ["1.0.0", "2024-tests", "v1.cwl.2", "newest.1"])
    assert.equal(versionSchema.safeParse(version).success, true, version);
});
