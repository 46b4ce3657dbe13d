import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const PROBLEM = {
  type: "about:blank",
  title: "The server has made a mistake",
  status: 500,
  detail: "It is in the server's log.",
  instance: "/",
  code: "internal",
  request_id: "5e1c",
  errors: [],
};

test("an error of the server says what to tell its keeper, and Retry tries again", async ({ page, watch }) => {
  let isBroken = true;
  await page.route("**/api/tools/smooth", (route) =>
    isBroken
      ? route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(PROBLEM) })
      : route.fallback(),
  );
  await page.goto("/tool/smooth");
  await expect(page.getByRole("heading", { level: 1, name: "smooth" })).toBeVisible({ timeout: 30_000 });
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The server has made a mistake");
  await expect(alert).toContainText("Request 5e1c");
  expect(await accessibilityProblems(page)).toEqual([]);
  isBroken = false;
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Gaussian smoothing" })).toBeVisible();
  await expect(alert).toBeHidden();
  forget(watch.consoleErrors, /500/);
});

test("a part that is no longer there reloads the page once, and then says so", async ({ page, watch }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Menu" })).toBeVisible();
  await page.route("**/static/networks-route*", (route) => route.abort());
  await page.getByRole("navigation").getByRole("link", { name: "Networks" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "This page failed to load" })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Can't reach the server");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.unroute("**/static/networks-route*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Networks" })).toBeVisible();
  forget(watch.consoleErrors, /ERR_FAILED|dynamically imported module/);
});

test("the first use is met with three steps, and empty lists with a way on", async ({ page, ownServer }) => {
  const server = await ownServer();
  await page.goto(`${server.url}/`);
  await expect(page.getByRole("heading", { name: /Welcome to Weft/ })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const [path, text] of [
    ["/runs", "No runs yet."],
    ["/runs?state=failed", "No runs match these filters."],
    ["/networks?q=nothing-like-it", "No networks match “nothing-like-it”"],
    ["/network/imaging-cohort?tab=runs", "No runs yet."],
  ] as const) {
    await page.goto(server.url + path);
    await expect(page.getByText(text)).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});

test("one click removes the filters of an empty list", async ({ page, request }) => {
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  for (const [path, clear, shown] of [
    ["/networks?q=nothing-like-it&sort=runs", "Clear the search", "text-statistics"],
    ["/tool?q=nothing-like-it", "Clear the search", "count-text"],
    ["/runs?state=failed&q=nothing-like-it", "Clear the filters", "text-statistics"],
    [`/run/${run.run_id}?tab=jobs&state=PREEMPTED&q=nothing-like-it`, "Clear the filters", "count-0"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: clear }).click();
    await expect(page.getByRole("table").getByText(shown, { exact: true }).first(), path).toBeVisible();
    await expect(page).not.toHaveURL(/nothing-like-it/);
  }
  await expect(page).toHaveURL(/tab=jobs/);
});

/** The browser reports refused requests in the console by itself. */
function forget(errors: string[], expected: RegExp): void {
  expect(errors.filter((text) => !expected.test(text))).toEqual([]);
  errors.length = 0;
}
