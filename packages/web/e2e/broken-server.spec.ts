import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { forgetErrors, test } from "./weft-test.ts";

test("a missing part of the application reloads the page once, and then shows an error", async ({ page, watch }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
  await page.route("**/static/catalog-route*", (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "Networks" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "This page failed to load" })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Can't reach the server");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.unroute("**/static/catalog-route*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible();
  forgetErrors(watch, /ERR_FAILED|dynamically imported module/);
});

test("a new server offers three first steps, and empty lists offer a next step", async ({ page, ownServer }) => {
  const server = await ownServer();
  await page.goto(`${server.url}/`);
  await expect(page.getByRole("heading", { name: /Welcome to Weft/ })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const [path, text] of [
    ["/runs", "No runs yet."],
    ["/runs?state=failed", "No runs match these filters."],
    ["/networks?q=nothing-like-it", 'No networks match "nothing-like-it"'],
    ["/network/imaging-cohort?tab=runs", "No runs yet."],
  ] as const) {
    await page.goto(server.url + path);
    await expect(page.getByText(text)).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});
