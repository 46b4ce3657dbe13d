import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Echo a number
baseCommand: [sh, -c, 'printf "{\\"same\\": %s}" "$1" > cwl.output.json', sh]
inputs:
  seed: { type: long, inputBinding: {} }
  more: { type: "long[]", default: [-9223372036854775808] }
outputs: { same: long }
`;
const SEED = "9007199254740993";

test("a number of 64 bits keeps its digits from the form to the result and back", async ({ page, ownServer }) => {
  const server = await ownServer({ catalog: await newFolder({ "tools/echo/1.0.0/echo.cwl": TOOL }) });
  await page.goto(`${server.url}/tool/echo?tab=try`);

  const seed = page.getByRole("textbox", { name: "seed" });
  const start = page.getByRole("button", { name: "Start run" });
  await seed.fill(SEED);

  await page.getByRole("group", { name: "Input view" }).getByRole("button", { name: "YAML" }).click();
  await page.getByRole("textbox", { name: "Input object" }).fill(`seed: ${SEED}\nmore:\n  - -9223372036854775807\n`);
  await page.getByRole("group", { name: "Input view" }).getByRole("button", { name: "Form" }).click();
  await expect(seed).toHaveValue(SEED);
  await page.reload();
  await expect(page.getByText(/Restored your draft from/)).toBeVisible();
  await expect(seed).toHaveValue(SEED);
  expect(await accessibilityProblems(page)).toEqual([]);
  await start.click();

  await expect(page).toHaveURL(/\/run\/[0-9a-f-]{36}/);
  const run = page.url().split("?")[0] ?? "";
  await page.goto(`${run}?tab=outputs`);
  await expect(page.locator("main").getByText(SEED, { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await page.goto(`${run}?tab=inputs`);
  await expect(page.locator("main").getByText(SEED, { exact: true }).first()).toBeVisible();
  await expect(page.locator("main").getByText("-9223372036854775807").first()).toBeVisible();

  await page.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByText(/Copied from/)).toBeVisible();
  await expect(seed).toHaveValue(SEED);
});
