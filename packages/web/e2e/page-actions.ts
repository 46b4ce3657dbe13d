import { readFile } from "node:fs/promises";
import { expect, type Download, type Locator, type Page } from "@playwright/test";

/** Pastes text as from another program. */
export async function pasteInto(target: Locator, text: string): Promise<void> {
  await target.evaluate((element, pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** Replaces the text of an editor. */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.press("ControlOrMeta+a");
  await pasteInto(editor, text);
}

/** Fills a form with the first example of its process, and starts a run of it. */
export async function runExample(page: Page): Promise<void> {
  const examples = page.getByRole("button", { name: "Use example" });
  await examples.click();
  if ((await examples.getAttribute("aria-haspopup")) === "menu") await page.getByRole("menuitem").first().click();
  await page.getByRole("button", { name: "Start run" }).click();
}

/** Waits until the page of a run says that the run has succeeded, at most until the limit of the test. */
export async function expectSuccess(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/run\//);
  await expect(page.locator("[data-state=COMPLETE]").first()).toBeVisible({ timeout: 0 });
}

/** The identifier in the address of a page of a run or a draft. */
export function idOf(page: Page): string {
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Downloads a file by a link or a button. */
export async function download(page: Page, name: string): Promise<Download> {
  const downloading = page.waitForEvent("download");
  const roles = (["link", "button", "menuitem"] as const).map((role) => page.getByRole(role, { name }));
  await roles.reduce((either, other) => either.or(other)).click();
  const file = await downloading;
  expect(await file.failure()).toBeNull();
  return file;
}

export async function downloadText(page: Page, name: string): Promise<string> {
  return readFile(await (await download(page, name)).path(), "utf8");
}

/** Adds a step to the drawing of a network: the first process that the words find. */
export async function addStep(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Add step" }).click();
  await page.getByRole("textbox", { name: "Tool or network" }).fill(words);
  await page.keyboard.press("Enter");
}

/** Adds the input `names`, a list of strings, to the drawing of a network. */
export async function addNames(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add input" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("names");
  await page.getByLabel("Type").selectOption("string");
  await page.getByLabel("A list, such as one per sample").check();
  await page.getByRole("dialog").getByRole("button", { name: "Add input" }).click();
}
