import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { GREET, GREETINGS, workbenchCatalog } from "./workbench-catalog.ts";

const TEST = 'inputs: {name: Ann}\noutputs: {greeting: {contents: "Ann\\n"}}\n';

test("networks on an older version of a tool are upgraded, tested and published together", async ({
  page,
  ownServer,
}) => {
  const catalog = await workbenchCatalog({
    "tools/greet/2.0.0/greet.cwl": GREET.replace("default: world", "default: you"),
    "networks/greetings/tests/ann.yml": TEST,
    "networks/welcome/1.0.0/welcome.cwl": GREETINGS.replace("../../tools", "../../../tools"),
  });
  const { url } = await ownServer({ catalog });
  await page.goto(`${url}/tool/greet/2.0.0`);
  await expect(page.getByText("2 networks run an older version.")).toBeVisible();
  await page.getByRole("link", { name: "Upgrade networks" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("greet");
  const row = (name: string) => page.getByRole("row").filter({ hasText: new RegExp(name) });
  await expect(row("greetings")).toContainText("The default of the input name has changed");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Create 2 drafts" }).click();

  await expect(page).toHaveURL(/\/draft-groups\//);
  await expect(row("greetings")).toContainText("1 of 1 passed");
  await expect(row("welcome")).toContainText("1.1.0");
  await expect(page.getByRole("list", { name: "Report" })).toContainText("now runs greet 2.0.0");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish 2 drafts" }).click();
  await expect(page).toHaveURL(`${url}/networks`);
  await page.goto(`${url}/tool/greet/2.0.0`);
  await expect(page.getByRole("heading", { level: 1, name: "Greet" })).toBeVisible();
  await expect(page.getByText("run an older version")).toHaveCount(0);
  const shown = await (await page.request.get(`${url}/api/networks/greetings`)).json();
  expect([shown.version, shown.steps[0].run.version]).toEqual(["1.0.0", "2.0.0"]);
});
