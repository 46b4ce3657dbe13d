import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort, newStateFolder, startServer } from "./own-server.ts";

test("a sign-in link opens the server once; others need the access token", async ({ browser }) => {
  const state = await newStateFolder();
  const server = await startServer({ port: await freePort(), state, prefix: "", auth: "token" });
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
  await expect(stranger.getByRole("dialog").getByRole("alert")).toContainText("used already");
  await stranger.goto(`${server.url}/networks`);
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await stranger.getByLabel("Access token").fill("wrong");
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.getByRole("dialog").getByRole("alert")).toContainText("not the access token");
  await stranger.getByLabel("Access token").fill(await readFile(join(state, "access-token"), "utf8"));
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.getByText("Imaging cohort").first()).toBeVisible();
  await server.stop();
});
