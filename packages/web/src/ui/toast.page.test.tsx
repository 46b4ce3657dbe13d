import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { showError, showToast, ToastRegion } from "./toast.tsx";

test("a message is shown at the edge of the page, with its link", async () => {
  const { address } = await renderPart(<ToastRegion />);
  showToast("Run started", { label: "Open", to: "/run/r1" });
  await expect.element(page.getByText("Run started")).toBeVisible();
  await page.getByText("Open", { exact: true }).click();
  expect(address()).toBe("/run/r1");
});

test("an error stays until it is dismissed", async () => {
  await renderPart(<ToastRegion />);
  showError("The runs were not changed");
  const text = page.getByCss("p").filter({ hasText: "The runs were not changed" });
  await expect.element(text).toBeVisible();
  await page.getByLabelText("Dismiss").last().click();
  await expect.element(text).not.toBeInTheDocument();
});
