import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { download } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { beginDraft, GREET, workbenchCatalog } from "./workbench-catalog.ts";

test("a draft is compared with any version, exported, published and committed", async ({ page, ownServer }) => {
  const early = GREET.replace("default: world", "default: early");
  const catalog = await workbenchCatalog({ "tools/greet/0.9.0/greet.cwl": early });
  execFileSync("git", ["init", "-q"], { cwd: catalog });
  const { url } = await ownServer({ catalog, more: ["--commit-published"] });
  await page.goto(`${await beginDraft(page, url, "greet")}?tab=changes`);
  await expect(page.getByText("Identical.")).toBeVisible();
  await page.getByLabel("Compare with").selectOption("0.9.0");
  await expect(page.getByRole("region", { name: "Changes since 0.9.0" })).toContainText("default: early");

  await page.getByText("Export", { exact: true }).click();
  const folder = await download(page, "Folder with all files (zip)");
  expect(folder.suggestedFilename()).toBe("greet-1.0.1-draft.zip");
  expect((await readFile(await folder.path())).includes("tools/greet/1.0.1/greet.cwl")).toBe(true);
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
  expect((await download(page, "Packed document")).suggestedFilename()).toBe("greet-1.0.1.cwl");
});
