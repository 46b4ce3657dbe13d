import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { ownServerTest as test } from "./weft-test.ts";
import { beginDraft, workbenchCatalog } from "./workbench-catalog.ts";
import { downloadText, idOf, replaceText } from "./page-actions.ts";

const DEFAULT = 8; // the line `default: world`
const LAST_TEST = 'inputs: {}\noutputs: {greeting: {contents: "world1234\\n"}}\n';

test("every action on a draft uses the text on the screen, however fast it follows a key", async ({
  page,
  ownServer,
  watch,
}) => {
  const { url } = await ownServer({
    catalog: await workbenchCatalog({ "tools/greet/1.0.0/tests/last.yml": LAST_TEST }),
  });
  const draft = await beginDraft(page, url, "greet");
  await page.goto(`${draft}?tab=try`);
  await page.getByRole("button", { name: "Preview" }).click();
  const plan = page.getByRole("region", { name: /^Preview/ });
  await expect(plan).toContainText("echo world");
  await expect(plan).not.toContainText("Outdated");

  await typeAtEndOf(page, DEFAULT, "1");
  await expect(plan).toContainText("Outdated");
  await plan.getByRole("button", { name: "Preview again" }).click();
  await expect(plan).toContainText("echo world1");
  await expect(plan).not.toContainText("Outdated");

  await typeAtEndOf(page, DEFAULT, "23");
  await page.getByText("Export", { exact: true }).click();
  expect(await downloadText(page, "Packed document")).toContain("world123");

  await page.getByRole("tab", { name: "Tests" }).click();
  const run = page.getByRole("button", { name: "Run all tests" });
  await expect(run).toBeVisible();
  await typeAtEndOf(page, DEFAULT, "4");
  await run.click();
  await expect(page.getByText("1 of 1 test passed with the current document")).toBeVisible();

  // Without a connection nothing is claimed about the text on the screen, and publishing says why it cannot.
  const api = draft.replace("/drafts/", "/api/drafts/");
  await page.route(api, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await typeAtEndOf(page, DEFAULT, "5");
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish greet" });
  await expect(dialog.getByRole("alert")).toContainText("This cannot be published: can't reach the server");
  await page.unroute(api);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByRole("region", { name: "Changes of this version" })).toContainText("world12345");
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(watch.consoleErrors.every((text) => text.includes("ERR_FAILED"))).toBe(true);
  watch.consoleErrors.length = 0; // the browser reports the lost connection by itself

  await page.getByRole("tab", { name: "Try it" }).click();
  const start = page.getByRole("button", { name: "Start run" });
  await expect(start).toBeVisible();
  await typeAtEndOf(page, DEFAULT, "6");
  await start.click();
  await expect(page.getByRole("heading", { level: 1, name: /^Draft of Greet/ })).toBeVisible();
  const runId = idOf(page);
  await expect
    .poll(async () => (await page.request.get(`${url}/api/runs/${runId}/files/outputs/greeting.txt`)).text())
    .toBe("world123456\n");

  // The draft, not the lists of users' runs, leads to it.
  await page.goto(`${url}/runs`);
  await expect(page.getByText("No runs")).toBeVisible();
  await page.goto(`${draft}?tab=try`);
  await page.getByRole("link", { name: "All runs of greet" }).click();
  await expect(page.getByRole("link", { name: /^Draft of Greet/ })).toBeVisible();
});

test("a run of a draft that someone has just changed is refused, visibly, and starts at the second press", async ({
  page,
  ownServer,
  watch,
}) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const draft = await beginDraft(page, url, "greet");
  const api = draft.replace("/drafts/", "/api/drafts/");
  await page.goto(`${draft}?tab=try`);
  const editor = page.getByRole("textbox", { name: "Text of greet" });
  await page.getByRole("textbox", { name: "name" }).fill("Ann");
  // Another user saves while the request is on its way.
  await page.route(
    `${api}/runs`,
    async (route) => {
      const { text } = await (await page.request.get(api)).json();
      const data = { text: text.replace("shown in lists", "by somebody else") };
      await page.request.post(api, { data, headers: { "if-match": '"1"' } });
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Start run" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "saved revision 2" });
  await expect(refusal).toBeVisible();
  await expect(editor).toContainText("by somebody else");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(refusal).toBeVisible();
  await expect(page.getByRole("textbox", { name: "name" })).toHaveValue("Ann");
  watch.consoleErrors.length = 0; // the browser reports the refused request by itself
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Draft of Greet/ })).toBeVisible();
  const run = await page.request.get(`${url}/api/runs/${idOf(page)}`);
  expect((await run.json()).draft).toEqual({ draft_id: draft.split("/").at(-1), revision: 2 });
});

test("text in a helper file is saved like the document, however the user leaves the page, and published as displayed", async ({
  page,
  ownServer,
  watch,
}) => {
  const catalog = await workbenchCatalog({ "tools/greet/1.0.0/run.sh": "echo OLD\n" });
  const { url } = await ownServer({ catalog });
  await page.goto(`${await beginDraft(page, url, "greet")}?tab=files`);
  const text = page.getByRole("textbox", { name: "Text of run.sh" });
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "run.sh", exact: true }).click();
  };
  const ways = [
    () => page.getByRole("tab", { name: "Tests" }).click(),
    () => page.getByRole("button", { name: "All files" }).click(),
    () => page.getByRole("link", { name: "Runs" }).first().click(),
    () => page.reload(),
  ];
  for (const [number, leave] of ways.entries()) {
    await open();
    await replaceText(text, `echo NEW ${number}\n`);
    await leave();
    if (number === 0) await page.getByRole("tab", { name: "Files" }).click();
    if (number === 2) await page.goBack();
    await open();
    await expect(text).toHaveText(`echo NEW ${number}`);
    await page.getByRole("button", { name: "All files" }).click();
  }

  await open();
  await replaceText(text, "echo LAST\n");
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish greet" });
  await expect(dialog.getByRole("region", { name: "Changes of run.sh" })).toContainText("echo LAST");
  await expect(dialog.getByRole("list", { name: "Other files" })).toContainText("examples/ann.yml");
  await dialog.getByRole("button", { name: /^Publish 1/ }).click();
  await expect(page).toHaveURL(/\/tool\/greet\/1\.0\.1$/);
  expect(await readFile(join(catalog, "tools/greet/1.0.1/run.sh"), "utf8")).toBe("echo LAST\n");
  // The page that was left may save after the next one has read the draft: the server then refuses the next one's save
  // once, which the browser reports.
  const others = watch.consoleErrors.filter((text) => !text.includes("412 (Precondition Failed)"));
  watch.consoleErrors.splice(0, Infinity, ...others);
});

async function typeAtEndOf(page: Page, line: number, text: string): Promise<void> {
  await page
    .locator(".cm-line")
    .nth(line - 1)
    .click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}
