import type { Prune } from "@weft/shared/records/storage-record.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart, SESSION } from "../../testing/render-part.tsx";
import { FreeSpaceButton } from "./free-space-button.tsx";
import FreeSpaceDialog, { pruneBody, type PruneKind } from "./free-space-dialog.tsx";

test("pruneBody requests only the chosen parts", () => {
  const cases: [kinds: PruneKind[], runId: string | undefined, body: unknown][] = [
    [[], undefined, undefined],
    [[], "r", undefined],
    [["intermediate"], "r", { run_id: "r", parts: ["intermediate"] }],
    [["logs", "outputs"], "r", { run_id: "r", parts: ["outputs", "logs"] }],
    [
      ["intermediate"],
      undefined,
      { parts: ["intermediate"], uploads: false, downloads: false, older_than_ms: 604_800_000 },
    ],
    [["uploads"], undefined, { parts: [], uploads: true, downloads: false, older_than_ms: 604_800_000 }],
  ];
  for (const [kinds, runId, body] of cases)
    expect(pruneBody({ kinds: new Set(kinds), runId, olderThanDays: 7 })).toEqual(body);
});

test("deletes nothing that became old enough after the preview", async () => {
  const report = { dry_run: true, entries: [], entries_total: 1, bytes_total: 4096, kept_total: 0, failed_total: 0 };
  const ages: unknown[] = [];
  const now = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
  onTestFinished(() => now.mockRestore());
  await renderPart(<FreeSpaceDialog run={undefined} onClose={() => {}} />, {
    answers: {
      "POST /api/prune": ({ query, body }) => {
        if (!query.has("dry_run")) ages.push((body as Prune).older_than_ms);
        return report;
      },
    },
  });
  const button = page.getByRole("button", { name: "Delete 4.0 KiB" });
  await expect.element(button).toBeEnabled();
  now.mockReturnValue(1_007_000);
  await button.click();
  await expect.poll(() => ages).toEqual([30 * 86_400_000 + 7000]);
});

test("only an administrator is offered to free up space of a run, after a preview", async () => {
  const report = { dry_run: true, entries: [], entries_total: 0, bytes_total: 0, kept_total: 0, failed_total: 0 };
  const button = page.getByRole("button", { name: "Free up space… of Cohort" });
  const run = { run_id: "r", name: "Cohort" };
  const { unmount } = await renderPart(<FreeSpaceButton run={run} />, {
    answers: { "GET /api/session": () => SESSION, "POST /api/prune": () => report },
  });
  await button.click();
  await expect.element(page.getByRole("alertdialog")).toMatchTextContent(/Cohort/);
  await unmount();
  await renderPart(<FreeSpaceButton run={run} />, {
    answers: { "GET /api/session": () => ({ ...SESSION, role: "author" }) },
  });
  await expect.poll(() => button.elements()).toEqual([]);
});
