import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { beginDraft, workbenchCatalog } from "./workbench-catalog.ts";

test("a tool is edited with help, tried and published as a new version", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  await page.goto(`${url}/tool/greet`);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Start a new draft" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "greet" })).toBeVisible();
  const editor = page.getByRole("textbox", { name: "Text of greet" });
  await expect(editor).toContainText("label: Greet # shown in lists");
  expect(await accessibilityProblems(page)).toEqual([]);

  // A problem is marked where it is, and one button fixes it.
  await toLine(page, 4);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("argumentss: [Hello]");
  const problems = page.getByRole("region", { name: "Problems" });
  await expect(problems).toContainText("unknown field `argumentss`");
  expect(await accessibilityProblems(page)).toEqual([]);
  await problems.getByRole("button", { name: "Replace with `arguments`" }).click();
  await expect(problems).toContainText("No problems");
  await expect(page.getByText("echo Hello <name>")).toBeVisible();

  // Suggestions come from the language.
  await toLine(page, 6);
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("hin");
  await page.getByRole("option", { name: /^hints/ }).click();
  await expect(editor).toContainText("hints:");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor).not.toContainText("hin");

  // Everything is still there after a reload.
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(editor).toContainText("arguments: [Hello]");

  await page.getByRole("button", { name: /^Use example/ }).click();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Draft of Greet/ })).toBeVisible();
  await page.getByRole("link", { name: "Draft", exact: true }).click();

  await page.getByRole("tab", { name: "Changes" }).click();
  await expect(page.getByRole("region", { name: "Changes since 1.0.0" })).toContainText("arguments: [Hello]");
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish greet" });
  await expect(dialog).toContainText("What it does has changed");
  await expect(dialog.getByRole("textbox", { name: "Version" })).toHaveValue("1.1.0");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Publish 1.1.0" }).click();
  await expect(page).toHaveURL(`${url}/tool/greet/1.1.0`);
  const audit = await page.request.get(`${url}/api/audit?action=publishDraft`);
  expect((await audit.json()).entries).toMatchObject([{ principal: "local", target: "/api/tools/greet/1.1.0" }]);
});

test("two editors of one draft see each other, and lose no changes", async ({ page, context, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const address = await beginDraft(page, url, "greetings");
  await page.goto(address);
  const others = page.getByRole("status", { name: "Other editors" });
  await expect(others).toHaveText("");
  const other = await context.newPage();
  await other.goto(address);
  const ownWindow = "You have another window with this draft";
  await expect(other.getByRole("status", { name: "Other editors" })).toHaveText(ownWindow);
  await expect(others).toHaveText(ownWindow);
  const name = "Text of greetings";
  await expect(other.getByRole("textbox", { name })).toContainText("# the only step");

  await typeAtEndOf(page, 3, " by one");
  await typeAtEndOf(other, 11, ", says the other");
  for (const each of [page, other]) {
    await expect(each.getByRole("textbox", { name })).toContainText("label: Greetings by one");
    await expect(each.getByRole("textbox", { name })).toContainText("# the only step, says the other");
  }
  await other.close({ runBeforeUnload: true });
  // A closed page may not be able to say so: then the server forgets it, and the next question of this page finds out.
  await expect(others).toHaveText("", { timeout: 30_000 });
});

test("two texts of one line are a conflict: a person decides, who sees both", async ({
  page,
  context,
  ownServer,
  watch,
}) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const address = await beginDraft(page, url, "greetings");
  const other = await context.newPage();
  const name = "Text of greetings";
  for (const each of [page, other]) {
    await each.goto(address);
    await expect(each.getByRole("textbox", { name })).toContainText("# the only step");
  }
  const typed = Promise.withResolvers<void>();
  for (const each of [page, other])
    await each.route(address.replace("/drafts/", "/api/drafts/"), (route) =>
      typed.promise.then(() => route.continue()),
    );
  await Promise.all([typeAtEndOf(page, 3, " (first)"), typeAtEndOf(other, 3, " (second)")]);
  typed.resolve();
  const asked = page.getByRole("button", { name: "Compare the texts" });
  const askedToo = other.getByRole("button", { name: "Compare the texts" });
  await expect(asked.or(page.getByText("Saved", { exact: true }))).toBeVisible();
  await expect.poll(async () => (await asked.count()) + (await askedToo.count())).toBe(1);
  const loser = (await asked.count()) === 1 ? page : other;
  await loser.getByRole("button", { name: "Compare the texts" }).click();
  const dialog = loser.getByRole("dialog");
  await expect(dialog).toContainText("(first)");
  await expect(dialog).toContainText("(second)");
  expect(await accessibilityProblems(loser)).toEqual([]);
  await dialog.getByRole("button", { name: "Keep my text" }).click();
  await expect(loser.getByText("Saved", { exact: true })).toBeVisible();
  const kept = loser === page ? "(first)" : "(second)";
  for (const each of [page, other]) await expect(each.getByRole("textbox", { name })).toContainText(kept);
  expect(watch.consoleErrors.every((text) => text.includes("412"))).toBe(true);
  watch.consoleErrors.length = 0; // the browser reports the refused save by itself
});

test("a new tool begins with a document that runs; a name that is taken and two commands are refused", async ({
  page,
  ownServer,
  watch,
}) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  await page.goto(`${url}/tool`);
  await page.getByRole("link", { name: "New tool" }).click();
  await page.getByRole("textbox", { name: "ID of the tool" }).fill("greet");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("alert")).toContainText("The catalog has a tool");
  await page.getByRole("textbox", { name: "ID of the tool" }).fill("Say It");
  const command = page.getByRole("textbox", { name: "Command line (optional)" });
  await command.fill("sort -r names.txt | head");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("alert")).toContainText("one command");
  expect(await accessibilityProblems(page)).toEqual([]);
  watch.consoleErrors.length = 0; // the browser reports the refused requests by itself
  await command.fill("");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByRole("textbox", { name: "Text of say-it" })).toContainText("baseCommand: echo");
  await expect(page.getByText("No problems")).toBeVisible();

  // Renaming reaches every use.
  await toLine(page, 6);
  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 5; line++) await page.keyboard.press("ArrowDown");
  for (let column = 0; column < 4; column++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  const dialog = page.getByRole("dialog", { name: "Rename message" });
  await dialog.getByRole("textbox", { name: "New name" }).fill("word");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByText("echo <word>")).toBeVisible();
  await page.getByRole("tab", { name: "Outline" }).click();
  await expect(page.getByRole("button", { name: "word input string" })).toBeVisible();

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete draft" }).click();
  await expect(page).toHaveURL(`${url}/tools/new`);
});

async function toLine(page: Page, line: number): Promise<void> {
  await page
    .locator(".cm-line")
    .nth(line - 1)
    .click();
}

async function typeAtEndOf(page: Page, line: number, text: string): Promise<void> {
  await toLine(page, line);
  await page.keyboard.press("End");
  await page.keyboard.insertText(text);
}

test("the drawing is edited by keyboard, and removes links that depended on a step", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  await page.goto(await beginDraft(page, url, "greetings"));
  const editor = page.getByRole("textbox", { name: "Text of greetings" });
  await page.getByRole("button", { name: "Add step" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").locator("input").first()).toBeFocused();
  await page.keyboard.type("count");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "count" })).toBeVisible();
  await page.getByLabel("Connect text").focus();
  // Keys in the list only select; Enter connects.
  await page.keyboard.press("g");
  await expect(page.getByLabel("Connect text")).toHaveValue("greet/greeting");
  await page.keyboard.press("Enter");
  await expect(editor).toContainText("text: greet/greeting");
  await expect(editor).toContainText("# the only step");

  await page.getByRole("button", { name: "Disconnect greet/greeting from text" }).focus();
  await page.keyboard.press("Enter");
  await expect(editor).not.toContainText("text: greet/greeting");
  await page.getByRole("textbox", { name: "Label" }).focus();
  await page.keyboard.type("How long");
  await page.keyboard.press("Enter");
  await expect(editor).toContainText("label: How long");

  await page.getByRole("button", { name: "Delete", exact: true }).last().focus();
  await page.keyboard.press("Enter");
  await expect(editor).not.toContainText("count");
  await page.getByRole("button", { name: "Greet", exact: false }).first().click();
  await expect(page.getByRole("heading", { level: 2, name: "greet" })).toBeVisible();
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "greet_2" })).toBeVisible();
  await expect(editor).toContainText("greet_2:");
});
