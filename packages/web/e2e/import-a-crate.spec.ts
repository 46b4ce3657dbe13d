import { buffer } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { makeZip } from "client-zip";
import { accessibilityProblems } from "./accessibility.ts";
import { runExampleToEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("a run of another server is imported from its crate, shows its origin, and is reproduced", async ({
  page,
  request,
  ownServer,
  watch,
}) => {
  const run = await runExampleToEnd(request, "text-statistics");
  const crate = await (await request.get(`/api/runs/${run.run_id}/provenance?format=ro-crate`)).body();
  const here = await ownServer();
  await page.goto(`${here.url}/prov`);
  const chosen = page.getByLabel("Crate to import");
  await chosen.setInputFiles({ name: "broken.zip", mimeType: "application/zip", buffer: crate.subarray(0, 2000) });
  await expect(
    page.getByText("This is not a valid or complete zip file: End of central directory record signature not found."),
  ).toBeVisible();
  expect(watch.consoleErrors.splice(0)).toHaveLength(1); // the refusal

  await chosen.setInputFiles({ name: "crate.zip", mimeType: "application/zip", buffer: crate });
  const imported = page.getByRole("region", { name: "Imported" });
  await expect(imported).toContainText(`from another server, where it ran as ${run.run_id} by ${run.owner}`);
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Reproduce…" }).click();
  await page.getByRole("button", { name: "Run again and compare" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${run.name} (again)` })).toBeVisible();
  const verdict = page.getByRole("region", { name: "Reproduction" });
  await expect(verdict).toContainText(/Identical\. Same document, same inputs/, { timeout: 60_000 });
});

test("a run of another engine is imported from its crate, shows what is missing, and cannot be run again", async ({
  page,
  ownServer,
}) => {
  const here = await ownServer();
  await page.goto(`${here.url}/prov`);
  const zip = makeZip([
    { name: "ro-crate-metadata.json", input: JSON.stringify({ "@graph": GALAXY }) },
    { name: "datasets/in.txt", input: "in" },
    { name: "datasets/out.txt", input: "out" },
  ]);
  await page
    .getByLabel("Crate to import")
    .setInputFiles({ name: "galaxy.zip", mimeType: "application/zip", buffer: await buffer(zip) });
  const imported = page.getByRole("region", { name: "Imported" });
  await expect(imported).toContainText("Another engine made this run of a workflow in Galaxy");
  await expect(imported).toContainText("The crate describes no steps, only the inputs and outputs of the run.");
  await expect(page.getByText("out.txt").first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Compare…" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Reproduce…" })).toHaveCount(0);
  await expect(page.getByText("Run again")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Test workflow", exact: true })).toHaveCount(0);
  await page.goto(`${here.url}/runs`);
  await expect(page.getByRole("cell", { name: "Test workflow", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(?:Run again|Test workflow)/ })).toHaveCount(0);
});

const id = (of: string) => ({ "@id": of });
const GALAXY = [
  { "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: id("./") },
  { "@id": "./", "@type": "Dataset", name: "Test", mainEntity: id("w.gxwf.yml") },
  {
    "@id": "w.gxwf.yml",
    "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
    name: "Test workflow",
    programmingLanguage: id("#galaxy"),
    input: id("#in"),
    output: id("#out"),
  },
  { "@id": "#galaxy", "@type": "ComputerLanguage", name: "Galaxy" },
  { "@id": "#in", "@type": "FormalParameter", additionalType: "File", name: "Input Dataset" },
  { "@id": "#out", "@type": "FormalParameter", additionalType: "File", name: "Output" },
  { "@id": "datasets/in.txt", "@type": "File", exampleOfWork: id("#in") },
  { "@id": "datasets/out.txt", "@type": "File", exampleOfWork: id("#out") },
  {
    "@id": "#run",
    "@type": "CreateAction",
    name: "Run of the test workflow",
    instrument: id("w.gxwf.yml"),
    endTime: "2026-01-05T00:00:10+00:00",
    object: id("datasets/in.txt"),
    result: id("datasets/out.txt"),
  },
];
