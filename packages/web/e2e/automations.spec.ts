import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { newFolder, writeFiles } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { images: "File[]", note: string }
steps:
  look:
    scatter: image
    in: { image: images }
    out: [mask]
    run:
      class: CommandLineTool
      baseCommand: [touch, mask.txt]
      inputs: { image: File }
      outputs: { mask: { type: File, outputBinding: { glob: mask.txt } } }
outputs: { masks: { type: "File[]", outputSource: look/mask } }
`;
const QUERY = {
  ...{ location: "weft-data://study/", pattern: "{sample}.nii", per: ["sample"] },
  columns: [{ kind: "file", name: "images" }],
};

test("new files in a folder start a run, which the history links", async ({ page, ownServer }) => {
  const study = await newFolder({ "sub-01.nii": "1" });
  const server = await ownServer({
    catalog: await newFolder({ "networks/look/look.cwl": NETWORK }),
    more: ["--data", `study=${study}`],
  });
  const saved = await page.request.post(`${server.url}/api/dataset-queries`, {
    data: { name: "All subjects", network: "look", query: QUERY },
  });
  expect(saved.status()).toBe(201);

  await page.goto(`${server.url}/automations`);
  await page.getByRole("link", { name: "New automation…" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("New subjects");
  await page.getByRole("combobox", { name: "Run the network" }).selectOption("look");
  await page.getByRole("combobox", { name: /^Samples/ }).selectOption("All subjects");
  await page.getByRole("spinbutton", { name: "Wait until files have been unchanged for (s)" }).fill("0");
  await expect(page.getByText("The samples fill images.")).toBeVisible();
  await page.getByRole("textbox", { name: /^note/ }).fill("at night");
  await page.getByRole("button", { name: "Try it without starting anything" }).click();
  await expect(page.getByText("It would start 1 of 1 sample now.")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Create", exact: true }).click();

  const row = page.getByRole("row", { name: /New subjects/ });
  await expect(row).toContainText("1 run, 1 sample", { timeout: 30_000 });
  await writeFiles(study, { "sub-02.nii": "2" });
  await expect(row).toContainText("2 runs, 2 samples", { timeout: 30_000 });
  await row.getByRole("link", { name: "New subjects" }).click();
  const panel = page.getByRole("dialog", { name: "New subjects" });
  const history = panel.getByRole("list", { name: "History, newest first" }).getByRole("listitem");
  await expect(history).toHaveCount(3);
  await expect(panel.getByText("It would start 0 of 2 samples now.")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole("button", { name: "Pause" }).click();
  await expect(panel.getByText("Not active: local paused it.")).toBeVisible();
  await panel.getByRole("button", { name: "Resume" }).click();
  await expect(panel.getByRole("button", { name: "Pause" })).toBeVisible();
  await history.filter({ hasText: "Started" }).first().getByRole("link").click();
  await expect(page).toHaveURL(/\/run\//);

  const nightly = {
    ...{ name: "Nightly", network: "look", dataset: { query_id: (await saved.json()).query_id } },
    ...{
      inputs: { note: "every night" },
      trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" },
    },
  };
  expect((await page.request.post(`${server.url}/api/automations`, { data: nightly })).status()).toBe(201);
  await page.goto(`${server.url}/automations`);
  await expect(page.getByRole("row", { name: /Nightly/ })).toContainText("0 3 * * * (Europe/Berlin)");
});
