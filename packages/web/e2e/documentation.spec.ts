import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
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
});

test("links lead to sections, also from other pages and from addresses of the first guide", async ({ page }) => {
  await page.goto("/doc/reference/problems");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "invalid-inputs" }).click();
  await expect(page).toHaveURL(/#invalid-inputs$/);
  await expect(page.getByRole("heading", { name: "invalid-inputs" })).toBeInViewport();
  await page.goto("/doc?topic=states-and-reasons#TIME_LIMIT");
  await expect(page).toHaveURL(/\/doc\/reference\/states#time_limit$/);
  await expect(page.getByRole("heading", { name: "TIME_LIMIT" })).toBeInViewport();
  await page.goto("/doc/nothing/here");
  await expect(page.getByRole("heading", { level: 1, name: "No such page" })).toBeVisible();
});

test("the search finds sections by the keyboard alone", async ({ page }) => {
  await page.goto("/doc");
  await expect(page.getByRole("navigation", { name: "Contents" })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search the docs" })).toBeFocused();
  await page.keyboard.type("revoke tokn");
  await expect(page.getByRole("status")).toContainText(/results? for “revoke tokn”/);
  const access = page.getByRole("link", { name: "Create a token for each person" });
  await expect(access).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await access.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/doc\/how-to\/give-access#create-a-token-for-each-person$/);
  await expect(page.getByRole("heading", { name: "Create a token for each person" })).toBeInViewport();

  await page.goto("/doc?q=xyzzyx");
  await expect(page.getByRole("status")).toContainText("No results for “xyzzyx”");
});

test("on a phone the contents are folded, and images load", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/doc/explanation/performance");
  await expect(page.getByRole("navigation", { name: "Contents" })).toBeHidden();
  const plot = page.getByRole("img", { name: /Wall time per job/ });
  await plot.scrollIntoViewIfNeeded();
  await expect.poll(() => plot.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await page.getByText("Contents", { exact: true }).click();
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Glossary" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
});
