import assert from "node:assert/strict";
import { test } from "node:test";
import { addToComparisonPath, comparisonPath, processPath, runAgainPath } from "./run-paths.ts";

function reference(id: string, version: string | null) {
  return { id, version, digest: "", url: "" };
}

test("processPath and runAgainPath lead to the page and the form", () => {
  const cases: [Parameters<typeof processPath>[0], string, string][] = [
    [{ network: reference("cohort", null) }, "/network/cohort", "/network/cohort?tab=run&from=r1"],
    [{ network: reference("cohort", "1.0") }, "/network/cohort?v=1.0", "/network/cohort?v=1.0&tab=run&from=r1"],
    [
      { tool: reference("sha256:5e", null) },
      "/server?tab=documents&document=sha256:5e",
      "/server?tab=documents&document=sha256:5e&tab=try&from=r1",
    ],
    [{ tool: reference("smooth", "2.0.0") }, "/tool/smooth/2.0.0", "/tool/smooth/2.0.0?tab=try&from=r1"],
  ];
  for (const [process, page, form] of cases) {
    assert.equal(processPath(process), page);
    assert.equal(runAgainPath({ ...process, run_id: "r1" }), form);
  }
});

test("comparisonPath and addToComparisonPath name the compared runs", () => {
  assert.equal(comparisonPath(["r1", "r2", "r3"]), "/runs?compare=r1,r2,r3");
  const cohort = { network: reference("a/b", null) };
  assert.equal(
    addToComparisonPath([
      { run_id: "r1", ...cohort },
      { run_id: "r2", ...cohort },
    ]),
    "/runs?compare=r1,r2&add=1&network=a%2Fb",
  );
  assert.equal(addToComparisonPath([{ run_id: "r1", tool: reference("t", "1") }]), "/runs?compare=r1&add=1");
});
