import type { Prune } from "@weft/shared/records/storage-record.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
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
