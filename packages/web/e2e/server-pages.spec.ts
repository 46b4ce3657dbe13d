import { expect } from "@playwright/test";
import { startRun, waitForEnd } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("the server pages show durations, resource needs, waiting jobs and the audit log", async ({ page, ownServer }) => {
  const server = await ownServer();
  const load = async (name: string, inputs: object, options: object = {}) => {
    const data = { network: "practice-load", name, inputs, options: { cache: "off", ...options } };
    return (await startRun(page.request, data, server.url)).run_id;
  };
  const short = await load("Short", { count: 8, seconds: 1 });
  expect((await waitForEnd(page.request, short, server.url)).state).toBe("COMPLETE");

  // The requested and used resources of jobs, with lines to paste.
  await page.goto(`${server.url}/run/${short}?tab=info`);
  const resources = page.getByRole("table", { name: "Used and requested resources by step" });
  const sleep = resources.getByRole("row", { name: /sleep-tree/ });
  await expect(sleep).toContainText("/ 16 MiB");
  await expect(sleep.getByRole("button", { name: "Copy suggestion for sleep" })).toBeVisible();
  await sleep.getByRole("link", { name: "sleep-tree 1.0.0" }).click();
  await expect(page.getByText(/Based on 8 jobs in 1 run/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Suggested requirements" })).toContainText("ResourceRequirement:");

  // The time left comes from the earlier run.
  const long = await load("Long", { count: 600, seconds: 2 }, { max_parallel_jobs: 2 });
  await page.goto(`${server.url}/run/${long}`);
  await expect(page.getByText(/^about \d+ min, .*–.* left$/).first()).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("table", { name: "Steps" })).toContainText(/about \d+ min/);

  // The queue, and the reasons for waiting.
  await page.goto(server.url);
  await page.getByRole("link", { name: "Details" }).click();
  await expect(page.getByRole("row", { name: /Long/ })).toContainText("limited to 2 jobs at a time");
  await page.getByRole("tab", { name: "Load" }).click();
  await expect(page.getByRole("img", { name: /^Running jobs: running: \d/ })).toBeVisible();
  await page.getByLabel("Show the last").selectOption("hour");
  await expect(page).toHaveURL(/tab=load&hours=1/);
  await page.getByRole("tab", { name: "Workers" }).click();
  await expect(page.getByRole("row", { name: /This machine/ })).toContainText("default");

  // The files that can be removed, and the audit log.
  await page.getByRole("tab", { name: "Disk" }).click();
  await page.getByRole("button", { name: "practice-load" }).click();
  await expect(page.getByRole("heading", { name: "Runs of practice-load" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Free up space… of Short" })).toBeVisible();

  // The machine's missing programs, with the commands that install them.
  await page.getByRole("tab", { name: "This machine" }).click();
  await expect(page.getByRole("row", { name: /State folder.*events?, intact/ })).toContainText("OK", {
    timeout: 60_000,
  });
  await expect(page.getByRole("row", { name: /^Port/ })).toContainText(`the server listens at ${server.url}`);
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();

  await page.getByRole("tab", { name: "Audit log" }).click();
  await page.getByRole("textbox", { name: "Action" }).fill("createRun");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /Create run/ })).toHaveCount(2);
  await expect(page.getByRole("row", { name: /Server started/ })).toHaveCount(0);
  await page.request.delete(`${server.url}/api/runs/${long}`);
});
