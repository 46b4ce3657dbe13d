import type { Automation, AutomationPlan } from "@weft/shared/records/automation-record.ts";
import type { QueryResult, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord, Network, OutputRecord } from "@weft/shared/records/process-record.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { inputRecord as input, listOf, optional } from "../testing/input-record.ts";
import { type Answers, refusal, renderPart } from "../testing/render-part.tsx";
import { NewAutomation } from "./new-automation-route.tsx";

const TIME = "2026-11-21T10:00:00.000Z";
function network(id: string, inputs: readonly InputRecord[], outputs: readonly OutputRecord[] = []): Network {
  return {
    ...{ id, url: "", digest: `sha256:${id}`, version: null, versions: [], class: "Workflow", cwl_version: "v1.2" },
    ...{ inputs: [...inputs], outputs: [...outputs], steps: [], graph: { nodes: [], edges: [] }, examples: [] },
    ...{ source: [], links: {}, validation: { status: "valid", issues: [] }, validation_status: "valid" },
    stats: { runs: 0, last_run_at: null, median_duration_ms: null },
  };
}

const NETWORKS: readonly Network[] = [
  network(
    "cohort",
    [
      input("images", listOf("File")),
      input("fwhm_mm", "double"),
      input("method", { kind: "enum", symbols: ["mean", "median"] }),
      input("mask", optional({ kind: "File" })),
      input("token", "string", { secret: true, required: false }),
    ],
    [{ id: "masks", type: listOf("File"), type_text: "File[]" }],
  ),
  network("greeting", [input("name", "string"), input("words", listOf("string"))]),
  network("nothing", []),
  network(
    "many",
    Array.from({ length: 24 }, (_, n) => input(`value_${n}`, "int")),
  ),
];

const QUERY: SavedDatasetQuery = {
  ...{ query_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11", name: "All subjects", network: "cohort" },
  ...{ revision: 1, updated_at: TIME, updated_by: "local" },
  query: {
    ...{ location: "weft-data://study/", per: ["sub"] },
    columns: [
      { kind: "file", name: "images" },
      { kind: "value", name: "age", field: "age" },
    ],
  },
};
const IMAGE = { class: "File", location: "weft-data://study/sub-01/anat/sub-01_T1w.nii.gz" };
const RESULT: QueryResult = {
  location: "weft-data://study/",
  samples: [{ name: "sub-01", columns: { images: IMAGE, age: "54" } }],
  ...{ left_out: [], samples_left_out: 0, files_left_out: 0, files_used: 1 },
};
const PLAN: AutomationPlan = { would_start: 1, blocked: "", samples: [], samples_total: 1, next_at: null };

interface Shown {
  readonly sinks?: readonly string[];
  /** The errors of the first requests, which the server refuses. */
  readonly refused?: readonly ProblemError[][];
}

/** Shows the form, and records its requests. */
async function showForm({ sinks = [], refused = [] }: Shown = {}) {
  const refusals = refused.map((errors) => refusal({ errors }));
  const [tried, created]: [unknown[], unknown[]] = [[], []];
  let ends = 0;
  const answers: Answers = {
    "GET /api/networks": () => {
      const networks = NETWORKS.map((each) => ({ ...each, step_count: 0, required_inputs: 0 }));
      return { networks, total: networks.length, next_page_token: "" };
    },
    "GET /api/networks/{id}": ({ params }) =>
      NETWORKS.find(({ id }) => id === params["id"]) ?? new Response(null, { status: 404 }),
    "GET /api/dataset-queries": () => ({ queries: [QUERY] }),
    "GET /api/dataset-queries/{query_id}/samples": () => RESULT,
    "GET /api/server": () => Response.json({ sinks }),
    "GET /api/files": () => ({
      entries: [{ name: "a.nii", kind: "file", size: 1, modified_at: TIME, location: "weft-data://study/a.nii" }],
      ...{ location: "", total: 1, next_page_token: "" },
    }),
    "POST /api/automation-plans": ({ body }) => {
      tried.push(body);
      return refusals.shift() ?? PLAN;
    },
    "POST /api/automations": ({ body }) => {
      created.push(body);
      return refusals.shift() ?? Response.json({} satisfies Partial<Automation>);
    },
  };
  const shown = await renderPart(<NewAutomation onCreated={() => (ends += 1)} />, { answers });
  return { ...shown, tried, created, ends: () => ends };
}

const box = (name: string | RegExp) => page.getByRole("textbox", { name });
const choose = (field: string, option: string) =>
  page.getByRole("combobox", { name: new RegExp(`^${field}`) }).selectOptions(option);
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const attempt = () => press("Try it without starting anything");

async function fillNightly(id: string) {
  await box("Name").fill("Nightly");
  await choose("Run the network", id);
  await page.getByRole("radio", { name: "at these times" }).click();
  await box(/^Times/).fill("0 3 * * *");
}

test("an automation without a query asks for every input, and sends typed values", async () => {
  const { created, ends } = await showForm();
  await fillNightly("cohort");
  await expect.element(page.getByText("3 required inputs are missing: images, fwhm_mm, method")).toBeVisible();
  await press("Create");
  const problems = page.getByRole("alert");
  await expect.element(problems).toHaveFocus();
  await expect.element(problems).toMatchTextContent(/Fix 3 problems/);
  await problems.getByRole("button", { name: "fwhm_mm" }).click();
  await expect.element(box(/^fwhm_mm/)).toHaveFocus();
  await userEvent.keyboard("6.5");
  await page.getByRole("radio", { name: "median" }).click();
  await box(/^images/).fill("weft-data://study/a.nii");
  await userEvent.keyboard("{Enter}");
  await press("Create");
  await expect.poll(ends).toBe(1);
  const inputs = { images: [{ class: "File", location: "weft-data://study/a.nii" }], fwhm_mm: 6.5, method: "median" };
  expect(created).toMatchObject([
    { name: "Nightly", network: "cohort", trigger: { kind: "schedule", cron: "0 3 * * *" }, inputs, mode: "new" },
  ]);
});

test("the form asks neither for inputs that the samples fill nor for secrets, and keeps what was typed", async () => {
  const { tried } = await showForm();
  await fillNightly("cohort");
  await expect.element(page.getByText(/cannot contain secrets, so the form leaves out token/)).toBeVisible();
  await box(/^images/).fill("weft-data://study/a.nii");
  await userEvent.keyboard("{Enter}");
  await choose("Samples", "All subjects");
  await expect.element(page.getByText("The samples fill images.")).toBeVisible();
  await expect.element(page.getByText(/^There is no input "age"/)).toBeVisible();
  await expect.element(page.getByText("a.nii", { exact: true })).not.toBeInTheDocument();
  await box(/^fwhm_mm/).fill("6");
  await page.getByRole("radio", { name: "mean" }).click();
  await attempt();
  await expect.poll(() => tried).toMatchObject([{ dataset: { query_id: QUERY.query_id } }]);
  expect(tried[0]).toHaveProperty("inputs", { fwhm_mm: 6, method: "mean" });
  await choose("Samples", "None: one run each time");
  await expect.element(page.getByText("a.nii", { exact: true })).toBeVisible();
});

test("a plan is shown until the form changes", async () => {
  await showForm();
  await fillNightly("nothing");
  await expect.element(page.getByText("This process has no inputs.")).toBeVisible();
  await attempt();
  const plan = page.getByText("It would start 1 of 1 sample now.");
  await expect.element(plan).toBeVisible();
  await box(/^Times/).fill("0 4 * * *");
  await expect.element(plan).not.toBeInTheDocument();
});

test("another network keeps the entries for the one before", async () => {
  const { tried } = await showForm({ sinks: ["results"] });
  await fillNightly("cohort");
  await box(/^fwhm_mm/).fill("6");
  await page.getByText(/^Copy results to/).click();
  await box(/^masks/).fill("vfs://results/a");
  await choose("Samples", "All subjects");
  await choose("Run the network", "greeting");
  await expect.element(page.getByText("This network has no saved query.")).toBeVisible();
  await box(/^name/).fill("Ann");
  await choose("Run the network", "cohort");
  await expect.element(box(/^fwhm_mm/)).toHaveValue("6");
  await choose("Run the network", "greeting");
  await expect.element(box(/^name/)).toHaveValue("Ann");
  await expect.element(box("Name")).toHaveValue("Nightly");
  await page.getByRole("button", { name: "Add to words" }).click();
  await box("words 1").fill("hello");
  await attempt();
  await expect.poll(() => tried).toMatchObject([{ network: "greeting", inputs: { name: "Ann", words: ["hello"] } }]);
  expect(tried[0]).not.toHaveProperty("dataset");
  expect(tried[0]).not.toHaveProperty("sink_data");
});

test("the refusal of an input appears at its field, and nothing is lost", async () => {
  const errors = [
    { pointer: "/inputs/name", code: "not-allowed", detail: "it is too short" },
    { pointer: "/trigger", code: "not-allowed", detail: "the schedule is not valid" },
  ];
  const { tried, created } = await showForm({ refused: [errors, errors] });
  await fillNightly("greeting");
  await box(/^name/).fill("A");
  await page.getByRole("button", { name: "Add to words" }).click();
  for (const send of [attempt, () => press("Create")]) {
    await send();
    await expect.element(page.getByRole("alert")).toHaveFocus();
    await expect.element(page.getByRole("alert")).toMatchTextContent(/the schedule is not valid/);
    await expect.element(box(/^name/)).toHaveAccessibleDescription("it is too short");
  }
  expect([tried.length, created.length]).toEqual([1, 1]);
  await userEvent.keyboard("{Escape}");
  await expect.element(box("Name")).toHaveValue("Nightly");
  await expect.element(box(/^Times/)).toHaveValue("0 3 * * *");
  await expect.element(box(/^name/)).toHaveValue("A");
});

test("the refusal of a destination opens its field, which stays open", async () => {
  const detail = "the server has no folder nowhere";
  const { tried } = await showForm({
    sinks: ["results"],
    refused: [[{ pointer: "/sink_data/masks", code: "not-allowed", detail }]],
  });
  await fillNightly("cohort");
  await choose("Samples", "All subjects");
  await box(/^fwhm_mm/).fill("6");
  await page.getByRole("radio", { name: "mean" }).click();
  await page.getByText(/^Copy results to/).click();
  await box(/^masks/).fill("vfs://nowhere/a");
  await page.getByText(/^Copy results to/).click();
  await attempt();
  await expect.element(box(/^masks/)).toHaveAccessibleDescription(detail);
  await expect.element(box(/^masks/)).toBeVisible();
  await attempt();
  await expect.element(page.getByText("It would start 1 of 1 sample now.")).toBeVisible();
  await expect.element(box(/^masks/)).toBeVisible();
  expect(tried.length).toBe(2);
});

test("destinations in a BIDS dataset show the names for the first sample of the query", async () => {
  await showForm({ sinks: ["results"] });
  await fillNightly("cohort");
  await choose("Samples", "All subjects");
  await page.getByText(/^Copy results to/).click();
  await page.getByRole("button", { name: "BIDS derivatives in results" }).click();
  await expect.element(box(/^masks/)).toHaveValue("bids://results/cohort/mask");
  await expect.element(page.getByText("cohort/sub-01/anat/sub-01_mask.…")).toBeVisible();
});

test("a file is chosen in a dialog of its own, which Escape closes alone", async () => {
  await showForm();
  await fillNightly("cohort");
  await page.getByRole("button", { name: "Browse data folders…" }).first().click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(box("Name")).toHaveValue("Nightly");
});

test("an unfinished form outlives the page until it is discarded or sent", async () => {
  const first = await showForm();
  await fillNightly("many");
  await box(/^value_23/).fill("7");
  await first.unmount();
  const again = await showForm();
  await expect.element(page.getByText(/Restored your draft from/)).toBeVisible();
  await expect.element(box(/^value_23/)).toHaveValue("7");
  await expect.element(box(/^Times/)).toHaveValue("0 3 * * *");
  await press("Discard");
  await expect.element(box("Name")).toHaveValue("");
  await fillNightly("nothing");
  await press("Create");
  await expect.poll(again.ends).toBe(1);
  await again.unmount();
  await showForm();
  await expect.element(box("Name")).toHaveValue("");
  expect(page.getByText(/Restored your draft from/).elements()).toEqual([]);
});
