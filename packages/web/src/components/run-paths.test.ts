import assert from "node:assert/strict";
import { test } from "node:test";
import { processPath, runAgainPath } from "./run-paths.ts";

function reference(id: string, version: string | null) {
  return { id, version, digest: "", url: "" };
}

test("processPath and runAgainPath", () => {
  const cases: [Parameters<typeof processPath>[0], string, string][] = [
    [{ network: reference("cohort", null) }, "/network/cohort", "/network/cohort?tab=run&from=r1"],
    [{ network: reference("cohort", "1.0") }, "/network/cohort?v=1.0", "/network/cohort?v=1.0&tab=run&from=r1"],
    [{ tool: reference("smooth", "2.0.0") }, "/tool/smooth/2.0.0", "/tool/smooth/2.0.0?tab=try&from=r1"],
  ];
  for (const [process, page, form] of cases) {
    assert.equal(processPath(process), page);
    assert.equal(runAgainPath({ ...process, run_id: "r1" }), form);
  }
});
