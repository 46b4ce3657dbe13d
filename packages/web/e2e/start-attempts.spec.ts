import { expect } from "@playwright/test";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";
import { writeWorkbenchCatalog } from "./workbench-catalog.ts";

test("a start whose answer is lost starts no second run, and nothing changes on the screen meanwhile", async ({
  page,
  ownServer,
  watch,
}) => {
  const { url } = await ownServer({ catalog: await writeWorkbenchCatalog(await newStateFolder()) });
  await page.goto(`${url}/network/greetings?tab=run`);
  const name = page.getByRole("textbox", { name: /^name/ });
  await name.fill("Ann");
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    "**/api/runs",
    async (route) => {
      await held;
      await route.fetch(); // the server starts the run, and the answer is lost
      await route.abort();
    },
    { times: 1 },
  );
  const start = page.getByRole("button", { name: "Start run" });
  await start.click();
  await expect(page.getByRole("button", { name: "Starting…" })).toBeVisible();
  await expect(name).toBeDisabled();
  release();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Nobody here knows whether the run was started");
  await expect(alert).not.toContainText("automatically");
  expect(watch.consoleErrors.every((text) => text.includes("ERR_FAILED"))).toBe(true);
  watch.consoleErrors.length = 0; // the browser reports the lost connection by itself

  // A second run does not start even after a reload.
  await page.reload();
  await expect(name).toHaveValue("Ann");
  await start.click();
  await expect(page.getByRole("heading", { level: 1, name: /^greetings|^Greetings/ })).toBeVisible();
  const { runs } = await (await page.request.get(`${url}/api/runs`)).json();
  expect(runs).toHaveLength(1);
});

test("two windows with one form keep their own values, run names included", async ({ page, context, ownServer }) => {
  const { url } = await ownServer({ catalog: await writeWorkbenchCatalog(await newStateFolder()) });
  const address = `${url}/network/greetings?tab=run`;
  const other = await context.newPage();
  for (const [window, value] of [
    [page, "first"],
    [other, "second"],
  ] as const) {
    await window.goto(address);
    await window.getByRole("textbox", { name: /^name/ }).fill(value);
    await window.getByText("Run name and options").click();
    await window.getByRole("textbox", { name: "Run name" }).fill(`From the ${value}`);
  }
  for (const [window, value] of [
    [page, "first"],
    [other, "second"],
  ] as const) {
    await window.reload();
    await expect(window.getByRole("textbox", { name: /^name/ })).toHaveValue(value);
    await window.getByText("Run name and options").click();
    await expect(window.getByRole("textbox", { name: "Run name" })).toHaveValue(`From the ${value}`);
  }
});
