import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart, SESSION } from "../../testing/render-part.tsx";
import { DiskTab } from "./disk-tab.tsx";

test("the tab says how full the disk is, and offers to free space, before any run has ended", async () => {
  // The tab reads no other fields.
  const info = { disk_bytes: 8 * 2 ** 30, disk_free_bytes: 2 ** 30 } as ServerInfo;
  await renderPart(<DiskTab />, {
    answers: {
      "GET /api/session": () => SESSION,
      "GET /api/server": () => info,
      "GET /api/server/disk": () => ({ processes: [], runs: [], total: 0, next_page_token: "" }),
    },
  });
  await expect.element(page.getByText("1.0 GiB of 8.0 GiB are free.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Free up space…" })).toBeVisible();
});
