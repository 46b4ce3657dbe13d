import { expect } from "@playwright/test";
import { test } from "./weft-test.ts";

test("a reader finds a page by the contents, follows links and opens the next page", async ({ page }) => {
  await page.goto("/doc");
  await expect(page.getByRole("heading", { level: 1, name: "Weft documentation" })).toBeVisible();
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByRole("link", { name: "Your own network in 15 minutes" }).click();
  await expect(page).toHaveURL(/\/doc\/tutorials\/your-own-network$/);
  await expect(page.getByRole("heading", { level: 1, name: "Your own network in 15 minutes" })).toBeFocused();
  await expect(contents.getByRole("link", { name: "Your own network in 15 minutes" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.getByRole("group", { name: "study.yml" })).toContainText("my-data/sub-01.csv");

  await page.getByRole("link", { name: "Cache", exact: true }).last().click();
  await expect(page).toHaveURL(/\/doc\/explanation\/cache$/);
  await page.goBack();
  await expect(page).toHaveURL(/your-own-network$/);
  await page.getByRole("navigation", { name: "Next and previous page" }).getByRole("link", { name: /→$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Install Weft" })).toBeVisible();

  await page.goto("/doc/reference/problems");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "invalid-inputs" }).click();
  await expect(page).toHaveURL(/#invalid-inputs$/);
  await expect(page.getByRole("heading", { name: "invalid-inputs" })).toBeInViewport();
});
