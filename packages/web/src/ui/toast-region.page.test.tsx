import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { ToastRegion, toasts } from "./toast-region.tsx";

test("a message vanishes, and an error stays until it is dismissed", async () => {
  vi.useFakeTimers();
  await renderPart(<ToastRegion />);
  toasts.add({ description: "May started", data: { link: undefined } });
  toasts.add({ description: "May was not pinned: disk full", type: "error", timeout: 0, data: { link: undefined } });
  const [message, error] = [page.getByText("May started"), page.getByText("May was not pinned: disk full")];
  await expect.element(message).toBeVisible();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await expect.element(message).not.toBeInTheDocument();
  await expect.element(error).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(error).not.toBeInTheDocument();
});
