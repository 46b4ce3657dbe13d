import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { shoot } from "./shoot.ts";
import { test } from "./weft-test.ts";

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
  const folder = await mkdtemp(join(tmpdir(), "weft-long-numbers-"));
  await mkdir(join(folder, "tools/echo/1.0.0"), { recursive: true });
  await mkdir(join(folder, "networks"));
  await writeFile(join(folder, "tools/echo/1.0.0/echo.cwl"), TOOL);
  const server = await ownServer({ catalog: folder });
  await page.goto(`${server.url}/tool/echo?tab=try`);

  const seed = page.getByRole("textbox", { name: "seed" });
  const start = page.getByRole("button", { name: "Start run" });
  for (const [typed, message] of [
    ["9223372036854775808", "A long is a whole number from -9223372036854775808 to 9223372036854775807"],
    ["1e17", "Write the number with all its digits, without an exponent or a decimal point"],
  ] as const) {
    await seed.fill(typed);
    await start.click();
    await expect(page.getByRole("alert")).toContainText(message);
  }
  await seed.fill(SEED);

  const views = page.getByRole("group", { name: "Input view" });
  const text = page.getByRole("textbox", { name: "Input object" });
  await views.getByRole("button", { name: "JSON" }).click();
  await expect(text).toHaveValue(`{\n  "seed": ${SEED}\n}\n`);
  await text.fill(`{"seed": ${SEED}, "more": [1, 9223372036854775807]}`);
  await views.getByRole("button", { name: "YAML" }).click();
  await expect(text).toHaveValue(`seed: ${SEED}\nmore:\n  - 1\n  - 9223372036854775807\n`);
  await text.fill(`seed: ${SEED}\nmore:\n  - -9223372036854775807\n`);
  await views.getByRole("button", { name: "Form" }).click();
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
  await shoot(page, "long-numbers-outputs");
  await page.goto(`${run}?tab=inputs`);
  await expect(page.locator("main").getByText(SEED, { exact: true }).first()).toBeVisible();
  await expect(page.locator("main").getByText("-9223372036854775807").first()).toBeVisible();
  await shoot(page, "long-numbers-inputs");

  await page.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByText(/Copied from/)).toBeVisible();
  await expect(seed).toHaveValue(SEED);
});
