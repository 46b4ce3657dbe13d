import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { newFolder } from "./own-server.ts";
import { expectSuccess } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("results are copied to the folder that the form names, and Run again suggests the same folder", async ({
  page,
  ownServer,
  serverProcess,
  watch,
}) => {
  const folder = await newFolder();
  const state = await newFolder();
  const server = await serverProcess({ state, sinks: { results: folder } });
  await page.goto(`${server.url}/network/text-statistics?tab=run`);
  await page.getByRole("button", { name: "Use example" }).click();
  await page.getByText("Copy results to").click();
  const place = page.getByRole("textbox", { name: /^Sizes/ });

  // The form shows an impossible location as an error at its field, and no run starts.
  await place.fill("vfs://elsewhere/{basename}");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(place).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(/there is no output destination called "elsewhere"/).last()).toBeVisible();
  expect(await readdir(folder)).toEqual([]);
  watch.consoleErrors.length = 0; // the browser reports the refused request by itself

  await page.getByRole("button", { name: "All to results" }).click();
  await expect(place).toHaveValue("vfs://results/{run_id}/{output}/{basename}");
  const tellOrigins = page.getByRole("checkbox", { name: /Write a provenance file next to each copy/ });
  await tellOrigins.check();
  await page.getByRole("button", { name: "Start run" }).click();
  await expectSuccess(page);
  const [run = ""] = await readdir(folder);
  expect(page.url()).toContain(run);
  expect(await readdir(join(folder, run))).toContain("sizes");
  const sizes = await readdir(join(folder, run, "sizes"));
  expect(sizes.filter((name) => name.endsWith(".prov.json"))).toHaveLength(sizes.length / 2);

  await page.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByText(/Copied from/)).toBeVisible();
  await page.getByText("Copy results to").click();
  await expect(place).toHaveValue("vfs://results/{run_id}/{output}/{basename}");
  await expect(tellOrigins).toBeChecked();

  // A server that has lost the folder still shows the requested destination, so that the user can remove it.
  await page.goto("about:blank");
  await server.stop();
  const bare = await ownServer({ state });
  await page.goto(`${bare.url}/network/text-statistics?tab=run&from=${run}`);
  await page.getByText("Copy results to").click();
  await expect(place).toHaveValue("vfs://results/{run_id}/{output}/{basename}");
  await page.getByRole("button", { name: "Copy nothing" }).click();
  await expect(page.getByText("Copy results to")).toHaveCount(0);
});
