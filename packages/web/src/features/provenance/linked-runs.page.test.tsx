import type { LinkedRun, RunLineage } from "@weft/shared/records/lineage-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { LinkedRuns } from "./linked-runs.tsx";

function linked(name: string, distance: number, by: LinkedRun["by"]): LinkedRun {
  const place = { run_id: name, run_url: "", process: "cohort", created_at: "2026-11-27T10:00:00.000Z" };
  return { ...place, name, distance, by, state: name === "Failed" ? "EXECUTOR_ERROR" : "COMPLETE", is_cut: false };
}

function lineageOf(...others: readonly LinkedRun[]): RunLineage {
  const links = others.map(({ run_id, distance, by }) => {
    const [from, to] = distance < 0 ? [run_id, "This"] : ["This", run_id];
    return { from, to, by, files: 5, name: "sub-01.nii" };
  });
  return { run_id: "This", steps: [], files: [], flows: [], runs: [linked("This", 0, "location"), ...others], links };
}

test("a run that only wrote the same content is named as such, not as an upstream run", async () => {
  await renderPart(<LinkedRuns lineage={lineageOf(linked("Failed", -1, "content"), linked("Twin", 1, "content"))} />);
  const upstream = page.getByRole("region", { name: "Upstream runs" });
  await expect.element(upstream).toMatchTextContent(/None: it used no output of a run on this server\./);
  await expect.element(upstream).toMatchTextContent(/Same content: 1 other run wrote files with the same content\./);
  await expect.element(upstream.getByRole("list", { name: "Upstream runs: same content" })).toBeVisible();
  expect(page.getByRole("list", { name: "Upstream runs", exact: true }).elements()).toEqual([]);
  const downstream = page.getByRole("region", { name: "Downstream runs" });
  await expect
    .element(downstream)
    .toMatchTextContent(/None: no run on this server used its outputs\..*Same content: 1 other run/);
});

test("runs whose files this run used come first, without runs that only have equal files", async () => {
  await renderPart(
    <LinkedRuns lineage={lineageOf(linked("Maker", -1, "location"), linked("Failed", -1, "content"))} />,
  );
  const upstream = page.getByRole("list", { name: "Upstream runs", exact: true });
  await expect.element(upstream).toMatchTextContent(/Maker.*sub-01\.nii and 4 more/);
  await expect.element(upstream).not.toMatchTextContent(/Failed/);
});
