import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { test } from "./weft-test.ts";

test("the inputs are saved as YAML or JSON and loaded from both", async ({ page }) => {
  await page.goto("/network/text-statistics?tab=run");
  const rows = page.getByLabel("Table rows");
  await rows.fill("8");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download inputs.yml" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("text-statistics-inputs.yml");
  expect(await readFile(await file.path(), "utf8")).toBe("top: 8\n");
  for (const [name, content, value] of [
    ["inputs.json", '{"top": 9}', "9"],
    ["inputs.yml", "top: 10", "10"],
  ] as const) {
    await page.getByLabel("Input file").setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    await expect(rows).toHaveValue(value);
  }
  await page.getByLabel("Input file").setInputFiles({
    name: "broken.yml",
    mimeType: "",
    buffer: Buffer.from("top: 1\ntop: 2\n"),
  });
  await expect(page.getByText("Line 2, column 1: Duplicated mapping key")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Input object in YAML" })).toHaveValue("top: 1\ntop: 2\n");
});
