import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { test } from "./weft-test.ts";

/** One input of each kind that CWL knows. */
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Every input
baseCommand: ["true"]
inputs:
  text: { type: string, doc: "Any **text**." }
  maybe: string?
  whole: int
  large: long
  real: { type: double, default: 0.5 }
  flag: boolean
  tri: boolean?
  few: { type: { type: enum, symbols: [low, high] }, default: low }
  many: { type: { type: enum, symbols: [a, b, c, d, e, f] } }
  image:
    type: File
    format: http://edamontology.org/format_4001
    secondaryFiles: [{ pattern: .bvec, required: false }]
  folder: Directory?
  images: File[]?
  words: string[]
  pair:
    type:
      type: record
      fields: { name: string, weight: float? }
  wide:
    type:
      type: record
      fields: { a: int?, b: int?, c: int?, d: int?, e: int?, f: int?, g: int? }
  either: [int, string]
  anything: Any
outputs: []
`;

test("every kind of input is filled in, checked and sent as it was meant", async ({ page, ownServer }) => {
  const server = await ownServer({ catalog: await writeCatalog() });
  await page.goto(`${server.url}/tool/every?tab=try`);
  await expect(page.getByText("Format: format_4001. Also needs: .bvec (if present).")).toBeVisible();
  await expect(page.getByText(/10 required inputs are missing/)).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("alert")).toContainText("Fix 10 problems");
  expect(await accessibilityProblems(page)).toEqual([]);
  await fillIn(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("group", { name: "Input view" }).getByRole("button", { name: "JSON" }).click();
  const sent = JSON.parse(await page.getByRole("textbox", { name: "Input object" }).inputValue());
  expect(sent).toEqual(WANTED);
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/run\//);
  const runId = new URL(page.url()).pathname.split("/").at(-1);
  const run = await (await page.request.get(`${server.url}/api/runs/${runId}`)).json();
  expect(run.inputs).toMatchObject({ ...WANTED, image: { class: "File" } });
});

const WANTED = {
  text: "a",
  whole: 3,
  large: 9_007_199_254_740_991,
  flag: false,
  many: "e",
  // An input with a format wants files that say it.
  image: { class: "File", location: "data:,hello", format: "http://edamontology.org/format_4001" },
  words: ["one", "two", "three"],
  pair: { name: "left", weight: 0.001 },
  wide: { g: 7 },
  either: "8",
  anything: { free: [1, null] },
};

async function fillIn(page: Page): Promise<void> {
  const box = (name: string) => page.getByRole("textbox", { name, exact: false });
  await box("text").first().fill("a");
  await box("whole").fill("3.5");
  await box("large").fill("9007199254740991");
  await page.getByRole("group", { name: /^flag/ }).getByLabel("No", { exact: true }).check();
  await page.getByLabel(/^many/).selectOption("e");
  await box("image").first().fill("data:,hello");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add to words" }).click();
  await pasteInto(page, "words 1", "one\ntwo\nthree");
  await page.getByRole("group", { name: /^pair/ }).getByLabel("name").fill("left");
  await page.getByRole("group", { name: /^pair/ }).getByLabel("weight").fill("1e-3");
  await page.getByText("7 fields").click();
  await page.getByLabel("g", { exact: true }).fill("7");
  await page
    .getByRole("group", { name: /^either/ })
    .getByLabel("string", { exact: true })
    .first()
    .check();
  await page
    .getByRole("group", { name: /^either/ })
    .getByRole("textbox")
    .fill("8");
  await box("anything").fill('{"free": [1, null]}');
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("alert")).toContainText("whole: 3.5 is not a whole number");
  await page.getByRole("alert").getByRole("button", { name: "whole" }).click();
  await expect(box("whole")).toBeFocused();
  await box("whole").fill("3");
}

/** As a spreadsheet or an editor would. */
async function pasteInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).evaluate((element, pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

async function writeCatalog(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weft-every-input-"));
  const tool = join(folder, "tools/every/1.0.0");
  await mkdir(tool, { recursive: true });
  await mkdir(join(folder, "networks"));
  await writeFile(join(tool, "every.cwl"), TOOL);
  return folder;
}
