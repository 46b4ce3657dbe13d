import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../../../testing/render-part.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import type { ReviewedSample } from "./review-samples.ts";

const SAMPLES: readonly ReviewedSample[] = ["sub-1", "sub-2"].map((name, row) => ({ name, index: row, row }));
const RESULTS = { run_id: "r", partial: false, columns: [], rows: [], from: 0, total: 2 };

/** The dialog over the first sample, which passed; returns what it saves. */
async function openFirst(): Promise<string[]> {
  const saved: string[] = [];
  const review = { sample_id: "sub-1", verdict: "pass", comment: "", reviewed_by: "ann", reviewed_at: "" } as const;
  function Opened() {
    const [sample, setSample] = useState(SAMPLES[0]);
    if (sample === undefined) return null;
    return (
      <ReviewDialog
        {...{ runId: "r", results: RESULTS, samples: SAMPLES, output: "pictures", isThere: true, sample }}
        reviews={new Map([["sub-1", review]])}
        mark={(name, verdict, comment) => saved.push([name, verdict, comment].join(" "))}
        onMove={setSample}
        onClose={() => setSample(undefined)}
      />
    );
  }
  const rows = SAMPLES.map(({ name, index }) => ({ sample_id: name, index, cells: [] }));
  await renderPart(<Opened />, {
    answers: { "GET /api/runs/{run_id}/results": () => ({ ...RESULTS, rows }) },
  });
  return saved;
}

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

test.each([
  ["moves to the next sample", () => press("Next")],
  ["closes the dialog", () => press("Close")],
  ["presses Escape", () => userEvent.keyboard("{Escape}")],
])("a comment is saved with the verdict when the user %s", async (_, leave) => {
  const saved = await openFirst();
  await page.getByLabelText("Comment").fill("blurred");
  await leave();
  await expect.poll(() => saved).toEqual(["sub-1 pass blurred"]);
});

test("a sample is saved once by a verdict, and not at all if nothing was typed", async () => {
  const saved = await openFirst();
  await page.getByLabelText("Comment").fill("blurred");
  await press("Fail and next");
  await expect.element(page.getByRole("heading", { name: "sub-2 (2 of 2)" })).toBeVisible();
  await press("Previous");
  await press("Close");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(saved).toEqual(["sub-1 fail blurred"]);
});
