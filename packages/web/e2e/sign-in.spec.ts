import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Browser, type Page } from "@playwright/test";
import { createToken, newFolder, weftToken } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("a sign-in link opens the server once; others need a token", async ({ browser, ownServer }) => {
  const state = await newFolder();
  const server = await ownServer({ state, auth: "token" });
  const first = await browser.newPage();
  await first.goto(server.signIn ?? "");
  await expect(first.getByRole("link", { name: "Networks" }).first()).toBeVisible();
  await expect(first.getByRole("heading", { name: "Sign in" })).toHaveCount(0);
  expect(new URL(first.url()).hash).toBe("");
  await first.goto(`${server.url}/networks`);
  await expect(first.getByText("Imaging cohort").first()).toBeVisible();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(server.signIn ?? "");
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(stranger.getByRole("dialog").getByRole("alert")).toContainText("already been used");
  await stranger.goto(`${server.url}/networks`);
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await stranger.getByLabel("Token").fill("wrong");
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.getByRole("dialog").getByRole("alert")).toContainText("not valid here");
  await stranger.getByLabel("Token").fill(await readFile(join(state, "access-token"), "utf8"));
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.getByText("Imaging cohort").first()).toBeVisible();
});

async function signIn(browser: Browser, url: string, token: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toHaveCount(0);
  return page;
}

test("a page offers what the role of its token permits; nobody sees what another account typed", async ({
  browser,
  ownServer,
}) => {
  const state = await newFolder();
  const server = await ownServer({ state, auth: "token" });
  const runner = await signIn(
    browser,
    `${server.url}/network/practice-load?tab=run`,
    createToken(state, "rob", "runner"),
  );
  await runner.getByRole("button", { name: "Use example" }).click();
  await runner.getByRole("menuitem", { name: "abort-me" }).click();
  await runner.getByRole("button", { name: "Start run" }).click();
  await expect(runner.getByText("by rob")).toBeVisible();
  const runUrl = runner.url();

  const viewer = await signIn(browser, runUrl, createToken(state, "vera", "viewer"));
  await expect(viewer.getByText("by rob")).toBeVisible();
  await viewer.getByRole("button", { name: "Menu" }).click();
  await expect(viewer.getByText("Signed in as vera (viewer)")).toBeVisible();
  await expect(viewer.getByRole("menuitem", { name: "Shut down…" })).toHaveCount(0);
  await viewer.goto(runUrl);
  await expect(viewer.getByText("by rob")).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^Abort/ })).toHaveCount(0);
  await expect(viewer.getByRole("link", { name: "Run again" })).toHaveCount(0);
  await viewer.goto(`${server.url}/network/practice-load?tab=run`);
  await expect(viewer.getByRole("note")).toContainText(
    "Starting a run requires the role runner. You are signed in as vera",
  );
  await viewer.goto(`${server.url}/`);
  await expect(viewer.getByRole("heading", { name: "This machine" })).toBeVisible();
  await expect(viewer.getByRole("button", { name: "Free up space…" })).toHaveCount(0);
  await viewer.goto(`${server.url}/shutdown`);
  await expect(viewer.getByRole("note")).toContainText("requires the role admin");

  weftToken(state, "revoke", "vera");
  await viewer.goto(`${server.url}/networks`);
  await expect(viewer.getByRole("heading", { name: "Sign in" })).toBeVisible();

  await runner.goto(`${server.url}/network/practice-load?tab=run`);
  await runner.getByRole("textbox", { name: "Jobs" }).fill("77");
  const other = await runner.context().newPage();
  await other.goto(`${server.url}/runs`);
  await runner.getByRole("button", { name: "Menu" }).click();
  await runner.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await runner.getByLabel("Token").fill(createToken(state, "sue", "runner"));
  await runner.getByRole("button", { name: "Sign in" }).click();
  await expect(runner.getByRole("textbox", { name: "Jobs" })).toHaveValue("");
  await other.getByRole("button", { name: "Menu" }).click();
  await expect(other.getByText("Signed in as sue (runner)")).toBeVisible();
});
