import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { showToast, ToastRegion } from "./toast.tsx";

test("a message is shown at the edge of the page, with its link", async () => {
  const { address } = await renderPart(<ToastRegion />);
  showToast("Run started", { label: "Open", to: "/run/r1" });
  await expect.element(page.getByText("Run started")).toBeVisible();
  await page.getByText("Open", { exact: true }).click();
  expect(address()).toBe("/run/r1");
});
