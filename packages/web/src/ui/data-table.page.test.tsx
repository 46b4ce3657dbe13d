import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { MemoryRouter } from "react-router-dom";
import { type Column, DataTable } from "./data-table.tsx";
import { keyboard } from "./keyboard/keyboard-registry.ts";
import { useVirtualList, VirtualList } from "./virtual-list.tsx";

interface Row {
  readonly name: string;
  readonly jobs: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { label: "Name", render: ({ name }) => <a href={`#${name}`}>{name}</a> },
  { label: "Jobs", number: true, render: ({ jobs }) => jobs },
  { label: "Actions", hidden: true, render: () => null },
];

test("a table has a caption, headers and a cell for each row and column", async () => {
  const rows = [
    { name: "align", jobs: 3 },
    { name: "count", jobs: 12 },
  ];
  await render(
    <main>
      <DataTable caption="Steps" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} isLong />
    </main>,
  );
  await expect.element(page.getByRole("region", { name: "Steps: table" })).toHaveAttribute("tabindex", "0");
  const table = page.getByRole("table", { name: "Steps" });
  await expect.element(table.getByRole("columnheader", { name: "Actions" })).toBeInTheDocument();
  await expect.element(table.getByRole("row", { name: "count 12" })).toBeVisible();
  const link = (name: string) => table.getByRole("link", { name });
  keyboard.action("row.next")?.();
  await expect.element(link("align")).toHaveFocus();
  keyboard.action("row.next")?.();
  await expect.element(link("count")).toHaveFocus();
  keyboard.action("row.previous")?.();
  await expect.element(link("align")).toHaveFocus();
});

test("a table without rows says why, and has no shortcuts for rows", async () => {
  const table = { caption: "Steps", columns: COLUMNS, rows: [], keyOf: ({ name }: Row) => name };
  const { rerender } = await render(<DataTable {...table} empty="No steps yet." />, { wrapper: MemoryRouter });
  await expect.element(page.getByText("No steps yet.")).toBeVisible();
  expect(keyboard.action("row.next")).toBeUndefined();
  await rerender(<DataTable {...table} empty={<a href="#add">Add a step</a>} />);
  await expect.element(page.getByRole("link", { name: "Add a step" })).toBeVisible();
  await rerender(<DataTable {...table} />);
  await expect.element(page.getByRole("table", { name: "Steps" })).toBeVisible();
});

function Numbers({ count }: { readonly count: number }) {
  const list = useVirtualList({ count, itemPx: 20 });
  return (
    <>
      <button onClick={() => list.scrollTo(count - 1)}>End</button>
      <VirtualList
        list={list}
        style={{ height: 200 }}
        inner={{ "aria-label": "Numbers" }}
        renderItem={(index) => `Number ${index}`}
        empty={<p>No numbers</p>}
      />
    </>
  );
}

test("a virtual list draws only visible items, and those to which it scrolls", async () => {
  await render(<Numbers count={10_000} />);
  await expect.element(page.getByText("Number 0", { exact: true })).toBeVisible();
  expect(page.getByRole("listitem").elements().length).toBeLessThan(100);
  await page.getByRole("button", { name: "End" }).click();
  await expect.element(page.getByText("Number 9999")).toBeVisible();
});

test("an empty virtual list says so", async () => {
  await render(<Numbers count={0} />);
  await expect.element(page.getByText("No numbers")).toBeVisible();
});

test("on a phone, the parts of a cell are below each other as on a desktop", async () => {
  await page.viewport(390, 844);
  const parts = () => (
    <>
      <span>Sign in</span>
      <span className="block">a long explanation that takes two lines of a narrow window</span>
    </>
  );
  await render(<DataTable caption="Log" columns={[{ label: "Action", render: parts }]} rows={[1]} keyOf={(n) => n} />);
  const [first, second] = ["Sign in", /long/].map((text) => page.getByText(text).element().getBoundingClientRect());
  expect(second?.top).toBeGreaterThanOrEqual(first?.bottom ?? 0);
  expect(second?.left).toBe(first?.left);
});
