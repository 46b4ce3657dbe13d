import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";

it("passes the tests of the shipped catalog", async (t) => {
  const copy = mkdtempSync(join(tmpdir(), "weft-shipped-"));
  t.after(() => rmSync(copy, { recursive: true }));
  for (const part of ["tools", "networks", "lib", "data"])
    cpSync(join(import.meta.dirname, "../../catalog", part), join(copy, part), { recursive: true });
  const { code, stdout, stderr } = await weft(["test", copy, "--quiet", "--parallel", "2"]);
  assert.equal(code, 0, stdout + stderr);
});
