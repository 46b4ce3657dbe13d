import type { InputRecord, StepRecord } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { inputRecord as input, listOf, optional } from "../../testing/input-record.ts";
import { painted, pasteInto, refusal, renderPart, type Answers } from "../../testing/render-part.tsx";
import { focusField, onReveal } from "./fields/form-context.ts";
import { RunForm } from "./run-form.tsx";
import type { RunTarget } from "./run-target.ts";

function target(inputs: readonly InputRecord[], steps: readonly StepRecord[] = []): RunTarget {
  const kind = steps.length > 0 ? "network" : "tool";
  return { kind, id: "given", version: "1.0.0", digest: "d", inputs, outputs: [], steps, examples: [] };
}

/** Renders the form, and records its requests to start a run, which the server refuses. */
async function showForm(form: RunTarget, refuse = async () => new Response(null, { status: 503 })) {
  const sent: unknown[] = [];
  const keys: (string | null)[] = [];
  const answers: Answers = {
    "POST /api/runs": ({ body, headers }) => {
      sent.push(body);
      keys.push(headers.get("idempotency-key"));
      return refuse();
    },
    "GET /api/files": () => ({ location: "", entries: [], total: 0, next_page_token: "" }),
  };
  const part = <RunForm target={form} earlier={undefined} onStarted={() => undefined} />;
  return { ...(await renderPart(part, { answers })), sent, keys };
}

const start = () => page.getByRole("button", { name: "Start run" });
const box = (name: string) => page.getByRole("textbox", { name: new RegExp(name) }).first();
const group = (name: RegExp) => page.getByRole("group", { name });
const view = (name: string) => page.getByRole("group", { name: "Input view" }).getByRole("button", { name });

const FORMAT = "http://edamontology.org/format_4001";
const EVERY_KIND = [
  input("text", "string", { doc: "Any **text**." }),
  input("maybe", optional({ kind: "string" })),
  input("whole", "int"),
  input("large", "long"),
  input("real", "double", { default: 0.5 }),
  input("flag", "boolean"),
  input("tri", optional({ kind: "boolean" })),
  input("few", { kind: "enum", symbols: ["low", "high"] }, { default: "low" }),
  input("many", { kind: "enum", symbols: ["a", "b", "c", "d", "e", "f"] }),
  input("image", "File", { format: [FORMAT], secondary_files: [{ pattern: ".bvec", required: false }] }),
  input("folder", optional({ kind: "Directory" })),
  input("words", listOf("string")),
  input("pair", {
    kind: "record",
    fields: [
      { name: "name", type: { kind: "string" } },
      { name: "weight", type: optional({ kind: "float" }) },
    ],
  }),
  input("wide", {
    kind: "record",
    fields: ["a", "b", "c", "d", "e", "f", "g"].map((name) => ({ name, type: optional({ kind: "int" }) })),
  }),
  input("either", { kind: "union", options: [{ kind: "int" }, { kind: "string" }] }),
  input("anything", "Any"),
];

const WANTED = {
  text: "a",
  whole: 3,
  large: 9_007_199_254_740_991,
  flag: false,
  many: "e",
  // An input with a format requires files with that format.
  image: { class: "File", location: "data:,hello", format: FORMAT },
  words: ["one", "two", "three"],
  pair: { name: "left", weight: 0.001 },
  wide: { g: 7 },
  either: "8",
  anything: { free: [1, null] },
};

test("every kind of input is filled in, checked and sent correctly", async () => {
  const { sent } = await showForm(target(EVERY_KIND));
  await expect.element(page.getByText("Format: format_4001. Also needs: .bvec (if present).")).toBeVisible();
  await start().click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/Fix 11 problems/);
  await box("text").fill("a");
  await box("whole").fill("3.5");
  await box("large").fill("9007199254740991");
  await group(/^flag/).getByLabelText(/^No$/).click();
  await page.getByLabelText(/^many/).selectOptions("e");
  await box("image").fill("data:,hello");
  await userEvent.keyboard("{Enter}");
  await page.getByRole("button", { name: "Add to words" }).click();
  await pasteInto(page.getByLabelText("words 1"), "one\ntwo\nthree");
  await group(/^pair/).getByLabelText(/^name/).fill("left");
  await group(/^pair/)
    .getByLabelText(/^weight/)
    .fill("1e-3");
  await page.getByText("7 fields").click();
  await page.getByLabelText(/^g\b/).fill("7");
  await group(/^either/)
    .getByLabelText(/^string/)
    .first()
    .click();
  await group(/^either/)
    .getByRole("textbox")
    .fill("8");
  await box("anything").fill('{"free": [1, null]}');
  await start().click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/whole: 3.5 is not a whole number/);
  await page.getByRole("alert").getByRole("button", { name: "whole" }).click();
  await expect.element(box("whole")).toHaveFocus();
  expect(sent).toEqual([]);
  await box("whole").fill("3");
  await start().click();
  await expect.poll(() => sent).toMatchObject([{ tool: "given", inputs: WANTED }]);
});

test("a form has the same values as fields, YAML and JSON, and keeps typed text", async () => {
  await showForm(target([input("texts", listOf("File")), input("top", optional({ kind: "int" }))]));
  const text = page.getByRole("textbox", { name: /^Input object/ });
  await expect.element(page.getByText("1 required input is missing: texts")).toBeVisible();
  await box("top").fill("7");
  await view("JSON").click();
  await expect.element(text).toHaveValue('{\n  "top": 7\n}\n');
  await text.fill('{\n  "top": 8,\n}');
  await expect.element(page.getByText("Line 3, column 1: expected a key in double quotes")).toBeVisible();
  await view("Form").click();
  await expect.element(box("top")).toHaveValue("7");
  await expect.element(page.getByText("Your JSON has an error. The form shows the last valid values.")).toBeVisible();
  await start().click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/The JSON text is invalid. Line 3, column 1/);
  await page.getByRole("button", { name: "Back to the JSON" }).click();
  await expect.element(text).toHaveValue('{\n  "top": 8,\n}');
  await text.fill('{"top": 8}');

  await view("YAML").click();
  await expect.element(text).toHaveValue("top: 8\n");
  await text.fill("top: 9\ntexts: [\n");
  await expect.element(page.getByText(/^Line 3, column 1: /)).toBeVisible();
  await view("Form").click();
  await expect.element(box("top")).toHaveValue("8");
  await view("YAML").click();
  await expect.element(text).toHaveValue("top: 9\ntexts: [\n");
  await text.fill("# nine rows\ntop: 9\n");
  await view("Form").click();
  await expect.element(box("top")).toHaveValue("9");
});

test("a number of 64 bits keeps its digits in the form, in JSON and in YAML", async () => {
  await showForm(target([input("seed", "long"), input("more", listOf("long"), { default: [] })]));
  const text = page.getByRole("textbox", { name: /^Input object/ });
  for (const [typed, message] of [
    ["9223372036854775808", "A long is a whole number from -9223372036854775808 to 9223372036854775807"],
    ["1e17", "Write the number with all its digits, without an exponent or a decimal point"],
  ] as const) {
    await box("seed").fill(typed);
    await start().click();
    await expect.element(page.getByRole("alert")).toMatchTextContent(new RegExp(message));
  }
  await box("seed").fill("9007199254740993");
  await view("JSON").click();
  await expect.element(text).toHaveValue('{\n  "seed": 9007199254740993\n}\n');
  await text.fill('{"seed": 9007199254740993, "more": [1, 9223372036854775807]}');
  await view("YAML").click();
  await expect.element(text).toHaveValue("seed: 9007199254740993\nmore:\n  - 1\n  - 9223372036854775807\n");
  await view("Form").click();
  await expect.element(box("seed")).toHaveValue("9007199254740993");
});

const SCATTERED = [input("texts", listOf("File"))];
const COUNT: StepRecord = {
  id: "count",
  run: { kind: "tool", class: "CommandLineTool", id: "count-text", version: "1.0.0" },
  scatter: ["text"],
  in: [{ id: "text", source: ["texts"] }],
  out: ["counts"],
};
const PLACE = "weft-data://catalog/data/texts";

test("the sample grid is filled, edited and checked by keyboard", async () => {
  await showForm(target(SCATTERED, [COUNT]));
  const grid = page.getByRole("grid", { name: "Samples" });
  const cell = (row: number, column: number) => grid.getByCss(`[data-cell="${row} ${column}"]`);
  await expect.element(grid).toBeVisible();
  grid.element().focus();

  // A header decides where columns go; a row with a mistake is marked at its cell.
  await pasteInto(grid, `sample\ttext\nlight\t${PLACE}/lighthouse.txt\nlight\t\nboat\tferry.txt`);
  await expect.element(page.getByText("3 samples", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Matched columns: sample → sample, text → texts")).toBeVisible();
  await start().click();
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/texts, row 2: Enter a value/);
  await expect.element(alert).toMatchTextContent(/Duplicate sample name "light" \(also in row 1\)/);
  await alert.getByRole("button", { name: "texts, row 2" }).click();
  await expect.element(grid).toHaveFocus();

  await userEvent.keyboard("{Control>}d{/Control}");
  await expect.element(cell(1, 1)).toMatchTextContent(/^lighthouse\.txt/);
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.element(cell(1, 1)).toHaveTextContent("required");
  await userEvent.keyboard("{Control>}y{/Control}");
  await expect.element(cell(1, 1)).toMatchTextContent(/^lighthouse\.txt/);
  await userEvent.keyboard("{Delete}{ArrowLeft}x{Escape}");
  await expect.element(cell(1, 0)).toHaveTextContent("2light");
  await userEvent.keyboard(`short{Tab}${PLACE}/clock.txt{Enter}`);
  await expect.element(cell(1, 0)).toHaveTextContent("2short");
  await expect.element(cell(1, 1)).toMatchTextContent(/^clock\.txt/);
  await cell(1, 1).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect.element(page.getByText("2 samples", { exact: true })).toBeVisible();
});

test("on a page of 1,280 pixels the tools of the sample grid share a line, and so do the options below it", async () => {
  await page.viewport(1280, 800);
  const options = ["one", "two", "three"].map((id) => input(id, "int"));
  await showForm(target([...SCATTERED, ...options], [COUNT]));
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect.element(grid).toBeVisible();
  const tools = page.getByRole("group", { name: "Edit the samples" }).getByRole("button").elements();
  const middles = (elements: readonly Element[]) =>
    elements.map((element) => element.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2));
  expect(tools.length).toBeGreaterThan(7);
  expect([...new Set(middles(tools))]).toHaveLength(1);
  const lines = middles(options.map(({ id }) => box(id).element()));
  expect([...new Set(lines)]).toHaveLength(1);
  const { width, bottom } = grid.element().getBoundingClientRect();
  expect(width).toBeGreaterThan(1_100);
  expect(lines[0]).toBeGreaterThan(bottom);
});

test("the first click into the sample grid chooses the clicked cell, and not the first one", async () => {
  await showForm(target(SCATTERED, [COUNT]));
  const grid = page.getByRole("grid", { name: "Samples" });
  await grid.getByCss('[data-cell="0 1"]').click();
  await expect.element(grid.getByCss('[data-cell="0 1"][data-active]')).toBeInTheDocument();
  await userEvent.keyboard("/a/x.nii{Enter}");
  await expect.element(grid.getByCss('[data-cell="0 1"]')).toMatchTextContent(/^x\.nii/);
});

test("the sample grid shows missing values and the folders of files before anything is sent", async () => {
  await showForm(target([input("texts", listOf("File"), { label: "Texts" })], [COUNT]));
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect.element(page.getByText("1 required input is missing: Texts")).toBeVisible();
  await grid.getByCss('[data-cell="0 1"]').click();
  await pasteInto(grid, "sample\ttext\none\t/a/x.nii\ntwo\t/b/x.nii");
  await expect.element(grid.getByCss('[data-cell="0 1"]')).toHaveTextContent("x.nii/a");
  await expect.element(grid.getByCss('[data-cell="1 1"]')).toHaveTextContent("x.nii/b");
  await page.getByRole("button", { name: "Add row" }).click();
  await expect.element(page.getByText("1 value is missing: Texts, row 3")).toBeVisible();
  await expect.element(grid.getByCss('[data-cell="2 1"]')).toHaveTextContent("required");
  await start().click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/Texts, row 3: Enter a value/);
  await expect.element(page.getByRole("alert")).toMatchTextContent(/Sample name, row 3: Name this sample/);
  await page.getByRole("button", { name: "More actions with the inputs" }).click();
  await page.getByRole("menuitem", { name: "Reset form" }).click();
  await expect.element(page.getByText("0 samples", { exact: true })).toBeVisible();
  expect(page.getByText(/Samples are now named after/).elements()).toEqual([]);
});

test("pastes, checks and reaches 10,000 samples, and renders only the visible ones", async () => {
  const step = { ...COUNT, scatter: ["n"], in: [{ id: "n", source: ["numbers"] }] };
  await showForm(target([input("numbers", listOf("int"))], [step]));
  const grid = page.getByRole("grid", { name: "Samples" });
  await expect.element(grid).toBeVisible();
  grid.element().focus();
  await userEvent.keyboard("{Control>}{ArrowRight}{/Control}");
  await pasteInto(grid, Array.from({ length: 10_000 }, (_, n) => (n === 9_000 ? "x" : n)).join("\n"));
  await expect.element(grid).toHaveAttribute("aria-rowcount", "10002");
  expect(document.querySelectorAll("[data-cell]").length).toBeLessThan(200);
  await start().click();
  await page.getByRole("alert").getByRole("button").first().click();
  await expect.element(grid.getByCss('[data-cell="9000 1"][data-active]')).toBeInTheDocument();
});

test("an opened problem takes the focus, but not from a user who is typing elsewhere", async () => {
  await renderPart(
    <>
      <input id="field/list" aria-label="List" />
      <input aria-label="Elsewhere" />
    </>,
  );
  const forget = onReveal(() => {});
  focusField("/list/3");
  await painted();
  await expect.element(page.getByLabelText("List")).toHaveFocus();
  focusField("/list/3");
  page.getByLabelText("Elsewhere").element().focus();
  await painted();
  await expect.element(page.getByLabelText("Elsewhere")).toHaveFocus();
  forget();
});

test("a problem that the server finds appears at its field", async () => {
  const detail = "no-such-file.nii does not exist";
  const errors = [{ pointer: "/inputs/texts/0/location", code: "missing-file", detail }];
  await showForm(target(SCATTERED, [COUNT]), async () => refusal({ errors }));
  const grid = page.getByRole("grid", { name: "Samples" });
  const cell = grid.getByCss('[data-cell="0 1"]');
  await expect.element(grid).toBeVisible();
  grid.element().focus();
  await pasteInto(grid, `sample\ttext\none\t${PLACE}/no-such-file.nii`);
  await start().click();
  const summary = page.getByRole("alert");
  await expect.element(summary).toHaveFocus();
  await summary.getByRole("button", { name: "texts, row 1" }).click();
  await expect.element(grid).toHaveFocus();
  await expect.element(cell).toHaveAttribute("data-active");
  await expect.element(cell).toHaveAttribute("aria-invalid", "true");
  await expect.element(cell).toHaveAccessibleDescription(/no-such-file\.nii does not exist/);
});

test("a draft outlives the page until it is discarded", async () => {
  const form = target([input("name", "string")]);
  const first = await showForm(form);
  await box("^name").fill("Ann");
  await page.getByText("Run name and options").click();
  await box("Run name").fill("First");
  await first.unmount();
  const again = await showForm(form);
  await expect.element(page.getByText(/Restored your draft from/)).toBeVisible();
  await expect.element(box("^name")).toHaveValue("Ann");
  await page.getByText("Run name and options").click();
  await expect.element(box("Run name")).toHaveValue("First");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.element(box("^name")).toHaveValue("");
  await again.unmount();
  await showForm(form);
  await expect.element(box("^name")).toHaveValue("");
  expect(page.getByText(/Restored your draft from/).elements()).toEqual([]);
});

test("a form without values leaves no draft", async () => {
  const form = target([input("name", "string")]);
  const shown = await showForm(form);
  await start().click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/Fix 1 problem/);
  await box("^name").fill("Ann");
  await box("^name").fill("");
  await view("JSON").click();
  await page.getByRole("textbox", { name: /^Input object/ }).fill("{}");
  await shown.unmount();
  await showForm(form);
  await expect.element(box("^name")).toHaveValue("");
  expect(page.getByText(/Restored your draft from/).elements()).toEqual([]);
});

test("a start whose answer is lost is repeated as the same request, and nothing changes meanwhile", async () => {
  const form = target([input("name", "string")]);
  const lost = Promise.withResolvers<Response>();
  const first = await showForm(form, () => lost.promise);
  await box("^name").fill("Ann");
  await start().click();
  await expect.element(page.getByRole("button", { name: "Starting…" })).toBeVisible();
  await expect.element(box("^name")).toBeDisabled();
  lost.reject(new TypeError("Failed to fetch"));
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/It is unknown whether the run was started/);
  await expect.element(alert).not.toMatchTextContent(/automatically/);
  await first.unmount();
  const second = await showForm(form);
  await expect.element(box("^name")).toHaveValue("Ann");
  await start().click();
  await expect.poll(() => second.keys).toEqual(first.keys);
  expect(second.sent).toEqual(first.sent);
});
