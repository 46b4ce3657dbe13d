import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { startRun, waitForEnd } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { workbenchCatalog } from "./workbench-catalog.ts";

test("a run leads to a network of its steps, to a step after an output, and to a tool", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const data = { network: "greetings", inputs: { name: "Ann" } };
  const { run_id: run } = await startRun(page.request, data, url);
  await waitForEnd(page.request, run, url);

  await page.goto(`${url}/run/${run}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Make a network of its steps…" }).click();
  await expect(page.getByRole("button", { name: "Create draft" })).toBeDisabled();
  await page.getByRole("checkbox", { name: "greet" }).check();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("textbox", { name: "ID of the network" }).fill("only-greet");
  await page.getByRole("button", { name: "Create draft" }).click();
  const editor = page.getByRole("textbox", { name: "Text of only-greet" });
  await expect(editor).toContainText("greet: # the only step");
  await expect(editor).toContainText("run: ../../../tools/greet/1.0.0/greet.cwl");
  await expect(page.getByText("No problems")).toBeVisible();

  await page.goto(`${url}/run/${run}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Add a step after" }).click();
  await page.getByRole("menuitem", { name: "greeting" }).click();
  await page.getByRole("button", { name: "Create draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a step after greet/greeting" });
  await dialog.getByRole("textbox", { name: "Tool or network" }).fill("count");
  await page.keyboard.press("Enter");
  const greetings = page.getByRole("textbox", { name: "Text of greetings" });
  await expect(greetings).toContainText("text: greet/greeting");
  await expect(page.getByText("No problems")).toBeVisible();
  await expect(dialog).toHaveCount(0);

  const jobs = await (await page.request.get(`${url}/api/runs/${run}/jobs`)).json();
  await page.goto(`${url}/run/${run}?tab=jobs&job=${jobs.jobs[0].job_id}`);
  await page.getByRole("link", { name: "Make a tool of this command" }).click();
  await expect(page.getByRole("textbox", { name: "Command line (optional)" })).toHaveValue("echo Ann > greeting.txt");
  await page.getByRole("textbox", { name: "ID of the tool" }).fill("say-ann");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("textbox", { name: "Text of say-ann" })).toContainText("stdout: greeting.txt");
});
