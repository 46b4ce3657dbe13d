import assert from "node:assert/strict";
import { test } from "node:test";
import { links } from "./links.ts";

function reference(id: string, version: string | null) {
  return { id, version, digest: "", url: "" };
}

test("links lead from a run to the page of its process and to the form", () => {
  const cases: [Parameters<typeof links.processOf>[0], string, string][] = [
    [{ network: reference("cohort", null) }, "/network/cohort", "/network/cohort?tab=run&from=r1"],
    [{ network: reference("cohort", "1.0") }, "/network/cohort?v=1.0", "/network/cohort?v=1.0&tab=run&from=r1"],
    [{ tool: reference("smooth", "2.0.0") }, "/tool/smooth/2.0.0", "/tool/smooth/2.0.0?tab=try&from=r1"],
  ];
  for (const [process, page, form] of cases) {
    assert.equal(links.processOf(process), page);
    assert.equal(links.runAgain({ ...process, run_id: "r1" }), form);
  }
  assert.equal(links.processOf({ tool: reference("sha256:5e", null) }), "/server?tab=documents&document=sha256%3A5e");
});

test("links encode values, and leave out parameters without one", () => {
  assert.equal(
    links.run("a/b?c", { tab: "jobs", job: "x&y #1", step: "", state: undefined }),
    "/run/a%2Fb%3Fc?tab=jobs&job=x%26y+%231",
  );
  assert.equal(links.view({}), "");
});

test("links name the compared runs", () => {
  assert.equal(links.comparison(["r1", "r2", "r3"]), "/runs?compare=r1%2Cr2%2Cr3");
  const cohort = { network: reference("a/b", null) };
  assert.equal(
    links.addToComparison([
      { run_id: "r1", ...cohort },
      { run_id: "r2", ...cohort },
    ]),
    "/runs?compare=r1%2Cr2&add=1&network=a%2Fb",
  );
  assert.equal(links.addToComparison([{ run_id: "r1" }]), "/runs?compare=r1&add=1");
});
