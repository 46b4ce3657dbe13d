import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart, SESSION, type Answers } from "../../testing/render-part.tsx";
import { runRecord } from "../../testing/run-record.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunList } from "./run-list.tsx";

const OLD = runRecord("run-1", { name: "Old", tags: { paper: "figure-2" }, owner: "ann", pinned: true });
const OPEN = runRecord("run-2", { name: "Open", state: "RUNNING", outcome: null, end_time: null });

function showList(answers: Answers = {}) {
  const list = { runs: [OPEN, OLD], next_page_token: "", total: 2, counts: {} };
  const parts = (
    <>
      <RunFilters />
      <RunList filter={{}} caption="Runs" selectable />
    </>
  );
  return renderPart(parts, {
    answers: { "GET /api/session": () => SESSION, "GET /api/runs": () => list, ...answers },
  });
}

test("a row shows owner, tags and marks of its run, and the action that its state permits", async () => {
  await showList();
  const old = page.getByRole("row", { name: /Old/ });
  await expect
    .element(old.getByRole("link", { name: "paper: figure-2" }))
    .toHaveAttribute("href", "/runs?tag=paper%3Afigure-2");
  await expect.element(old.getByRole("link", { name: "ann" })).toHaveAttribute("href", "/runs?owner=ann");
  await expect.element(old.getByText("pinned")).toBeVisible();
  await expect.element(old.getByRole("link", { name: "Run again: Old" })).toBeVisible();
  await expect.element(page.getByRole("row", { name: /Open/ }).getByRole("button", { name: /^Abort/ })).toBeVisible();
});

test("selected runs are compared from the oldest, and tagged together", async () => {
  const changes: unknown[] = [];
  await showList({
    "POST /api/runs/describe": ({ body }) => {
      changes.push(body);
      return { changed: 2, refused: [] };
    },
  });
  for (const name of [/^Select Open/, /^Select Old/]) await page.getByRole("checkbox", { name }).click();
  const bar = page.getByRole("region", { name: "Selected runs" });
  await expect.element(bar.getByText("2 runs selected")).toBeVisible();
  await expect
    .element(bar.getByRole("link", { name: "Compare" }))
    .toHaveAttribute("href", "/runs?compare=run-1%2Crun-2");
  await expect.element(bar.getByRole("button", { name: "Abort 1 run" })).toBeVisible();
  await bar.getByRole("button", { name: "Tags…" }).click();
  const dialog = page.getByRole("dialog", { name: "Tags of 2 runs" });
  await dialog.getByRole("button", { name: "Change tags" }).click();
  await expect.element(dialog.getByText("Write a tag to add, or choose one to remove.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Add" }).click();
  await userEvent.keyboard("checked");
  await dialog.getByRole("checkbox", { name: "paper" }).click();
  await dialog.getByRole("button", { name: "Change tags" }).click();
  await expect
    .poll(() => changes)
    .toEqual([{ run_ids: ["run-2", "run-1"], add_tags: { checked: "" }, remove_tags: ["paper"] }]);
  await expect.element(bar).not.toBeInTheDocument();
});

test("less common filters appear on demand, and count while they are set", async () => {
  const { address } = await showList();
  expect(page.getByRole("group", { name: "More filters" }).elements()).toEqual([]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Archived runs" }).selectOptions("Only archived");
  await expect.element(page.getByRole("button", { name: "Filters (1)" })).toBeVisible();
  expect(address()).toBe("/?archived=only");
});
