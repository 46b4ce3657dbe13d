import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newStateFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { GREET, writeWorkbenchCatalog } from "./workbench-catalog.ts";

test("a draft is compared with any version, exported, published and committed", async ({ page, ownServer }) => {
  const catalog = await writeWorkbenchCatalog(await newStateFolder());
  await mkdir(join(catalog, "tools/greet/0.9.0"), { recursive: true });
  await writeFile(join(catalog, "tools/greet/0.9.0/greet.cwl"), GREET.replace("default: world", "default: early"));
  execFileSync("git", ["init", "-q"], { cwd: catalog });
  const { url } = await ownServer({ catalog, more: ["--commit-published"] });
  const made = await page.request.post(`${url}/api/drafts`, { data: { kind: "tool", id: "greet", based_on: "1.0.0" } });
  await page.goto(`${url}/drafts/${(await made.json()).draft_id}?tab=changes`);
  await expect(page.getByText("Identical.")).toBeVisible();
  await page.getByLabel("Compare with").selectOption("0.9.0");
  await expect(page.getByRole("region", { name: "Changes since 0.9.0" })).toContainText("default: early");

  await page.getByText("Export", { exact: true }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Folder with all files (zip)" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("greet-1.0.1-draft.zip");
  expect((await readFile(await download.path())).includes("tools/greet/1.0.1/greet.cwl")).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish 1.0.1" }).click();
  const dialog = page.getByRole("dialog", { name: "Commit to git?" });
  await dialog.getByRole("button", { name: "Commit" }).click();
  await expect(dialog.getByRole("status")).toContainText("Committed.");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${url}/tool/greet/1.0.1`);
  const files = execFileSync("git", ["ls-files"], { cwd: catalog, encoding: "utf8" });
  expect(files).toMatch(/^tools\/greet\/1\.0\.1\/PINNED\.json$/m);
  expect(files).not.toMatch(/1\.0\.0/);

  // The version can be exported, too.
  await page.getByText("Export", { exact: true }).click();
  const packing = page.waitForEvent("download");
  await page.getByRole("link", { name: "Packed document" }).click();
  expect((await packing).suggestedFilename()).toBe("greet-1.0.1.cwl");
});
