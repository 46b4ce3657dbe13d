import { expect, type Locator, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { addNames, addStep } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { beginDraft, GREET, workbenchCatalog } from "./workbench-catalog.ts";

test("a dragged line marks only ports that can take it, and offers a choice in words if it needs more than a link", async ({
  page,
  ownServer,
}) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const editor = await openDraft(page, url);
  const [greet, count] = [page.locator('[data-path="greet"]'), page.locator('[data-path="count"]')];
  await addStep(page, "count");
  await expect(page.getByRole("heading", { level: 2, name: "count" })).toBeVisible();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Fit to screen" }).click();
  await expect(count).toContainText("text (not connected)");

  await dragTo(page, page.locator('[data-connect="greet/greeting"]'), count);
  await expect(page.locator('[data-target="count"]')).toBeVisible();
  await expect(page.locator('[data-port-target="count text"]')).toBeVisible();
  await expect(page.locator('[data-target="greet"]')).toHaveCount(0);
  await page.mouse.up();
  await expect(editor).toContainText("text: greet/greeting");
  await expect(page.getByText("No problems")).toBeVisible();
  await expect(count).not.toContainText("not connected");
  expect(await accessibilityProblems(page)).toEqual([]);

  await addNames(page);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Fit to screen" }).click();
  await dragTo(page, page.locator('[data-connect="names"]'), greet);
  await expect(page.locator('[data-port-target="greet name"]')).toBeVisible();
  await page.mouse.up();
  const dialog = page.getByRole("dialog", { name: "How should they be connected?" });
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Run the step once for each item, instead of name" }).click();
  await expect(editor).toContainText("scatter: name");
  await expect(editor).toContainText("name: names");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor).not.toContainText("scatter");
  await expect(editor).toContainText("name: name");
});

test("chosen steps become a group, which is dissolved again", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const editor = await openDraft(page, url);
  await addStep(page, "count");
  await page.getByLabel("Connect text").selectOption("greet/greeting");
  await page.getByRole("button", { name: "Make network output: count" }).click();
  await expect(editor).toContainText("outputSource: count/count");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Fit to screen" }).click();

  const [greet, count] = [page.locator('[data-path="greet"]'), page.locator('[data-path="count"]')];
  const bar = page.getByRole("toolbar", { name: "Selected steps" });
  await page.getByRole("button", { name: "Select steps" }).focus();
  await page.keyboard.press("Enter");
  for (const step of [greet, count]) {
    await step.focus();
    await page.keyboard.press("Enter");
    await expect(step).toHaveAttribute("aria-pressed", "true");
  }
  await expect(bar).toContainText("2 steps selected");
  expect(await accessibilityProblems(page)).toEqual([]);
  await bar.getByRole("button", { name: "Group…" }).click();
  const dialog = page.getByRole("dialog", { name: "Group steps" });
  await dialog.getByRole("textbox", { name: "Name of the step" }).fill("both");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Group", exact: true }).click();
  await expect(editor).toContainText("SubworkflowFeatureRequirement");
  await expect(editor).toContainText("greet: # the only step");
  await expect(page.getByText("No problems")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "both" })).toBeVisible();

  // One undo reverts it.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor).not.toContainText("both:");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(editor).toContainText("both:");
  await page.getByRole("button", { name: "Ungroup" }).click();
  await expect(editor).not.toContainText("both:");
  await expect(editor).toContainText("greet: # the only step");
  await expect(editor).toContainText("text: greet/greeting");
  await expect(page.getByText("No problems")).toBeVisible();
});

test("notes are kept in the document and shown in the drawing", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const editor = await openDraft(page, url);
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByRole("textbox", { name: "Note about the network" }).fill("For small groups.\nGreets each of them.");
  await page.getByRole("textbox", { name: "Note about the network" }).blur();
  await expect(editor).toContainText("doc: |-");
  await expect(page.getByRole("button", { name: "Edit note" })).toBeVisible();

  await page.locator('[data-path="greet"]').click();
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("Says hello");
  // A pause is enough to save: closing the page loses nothing.
  await expect(editor).toContainText("doc: Says hello");
  await expect(page.locator('[data-path="greet"]')).toContainText("Note: Says hello");
  await expect(page.getByText("No problems")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("textbox", { name: "Note", exact: true }).fill("");
  await page.getByRole("textbox", { name: "Note", exact: true }).blur();
  await expect(editor).not.toContainText("Says hello");
  await expect(editor).toContainText("# the only step");
});

test("the failure of a run leads to the line that caused it, and back", async ({ page, ownServer }) => {
  const { url } = await ownServer({ catalog: await workbenchCatalog() });
  const text = GREET.replace("type: stdout", "type: File\n    outputBinding: {glob: nowhere.txt}");
  const made = await page.request.post(`${url}/api/drafts`, { data: { kind: "tool", id: "lost", text } });
  const { draft_id: id } = await made.json();
  const started = await page.request.post(`${url}/api/drafts/${id}/runs`, { data: { inputs: {} } });
  const { run_id: run } = await started.json();
  await page.goto(`${url}/run/${run}`);
  await page.getByRole("link", { name: "Show in the draft" }).click();
  const failure = page.getByRole("region", { name: "Failure of a run" });
  await expect(failure).toContainText("nowhere.txt");
  await expect(failure.getByRole("button", { name: "Show line 13" })).toBeVisible();
  await expect(page.locator(".cm-activeLine")).toContainText("nowhere.txt");
  await expect(page.locator(".cm-lintRange-error")).toHaveText("nowhere.txt");
  expect(await accessibilityProblems(page)).toEqual([]);
  await failure.getByRole("link", { name: "View job" }).click();
  await expect(page).toHaveURL(new RegExp(`/run/${run}\\?tab=jobs&job=`));
  await page.goBack();
  await failure.getByRole("button", { name: "Dismiss" }).click();
  await expect(failure).toHaveCount(0);
  await expect(page.locator(".cm-lintRange-error")).toHaveCount(0);
});

/** Opens a draft of the network `greetings`; returns the editor of its text. */
async function openDraft(page: Page, url: string): Promise<Locator> {
  await page.goto(await beginDraft(page, url, "greetings"));
  return page.getByRole("textbox", { name: "Text of greetings" });
}

/** Presses at the middle of one element and moves to the middle of another; the button stays down. */
async function dragTo(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  const place = await to.boundingBox();
  if (place === null) throw new Error("the target is not visible");
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 5 });
}
