import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { keyboard } from "./keyboard/keyboard-registry.ts";
import { TabBar } from "./tab-bar.tsx";

async function showTabs(at: string) {
  const screen = await renderPart(
    <TabBar
      label="About"
      aside={<button>Past</button>}
      tabs={[
        { id: "overview", label: "Overview", content: <p>At a glance</p> },
        {
          id: "results",
          label: "Results",
          views: [
            { id: "outputs", label: "Outputs", content: <p>A gallery</p> },
            { id: "table", label: "Table", content: <p>A table</p>, hasPast: true },
          ],
        },
      ]}
    />,
    { at },
  );
  return screen.address;
}

test.each([
  ["/", "Overview", "At a glance"],
  ["/?tab=unknown", "Overview", "At a glance"],
  ["/?tab=results", "Results", "A gallery"],
  ["/?tab=outputs&q=sub-01", "Results", "A gallery"],
  ["/?tab=table&sort=volume", "Results", "A table"],
])("the address %s names a tab or one of its views, and stays", async (at, tab, content) => {
  const address = await showTabs(at);
  await expect.element(page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByText(content)).toBeVisible();
  expect(address()).toBe(at);
  const note = page.getByText('There is no view "unknown" here. This is Overview.');
  expect(note.elements()).toHaveLength(at.includes("unknown") ? 1 : 0);
});

test("a tab with several views has a switch, which drops the filters of the view but keeps the moment shown if the next view has a past", async () => {
  const address = await showTabs("/?tab=outputs&q=sub-01&at=7");
  const views = page.getByRole("group", { name: "Views of results" });
  await views.getByRole("button", { name: "Table" }).click();
  await expect.element(page.getByText("A table")).toBeVisible();
  await expect.element(views.getByRole("button", { name: "Table" })).toHaveAttribute("aria-pressed", "true");
  expect(address()).toBe("/?at=7&tab=table");
  await expect.element(page.getByRole("button", { name: "Past" })).toBeVisible();
  await page.getByRole("tab", { name: "Overview" }).click();
  expect(address()).toBe("/");
  await expect.element(page.getByRole("button", { name: "Past" })).not.toBeInTheDocument();
  await expect.element(page.getByText("At a glance")).toBeVisible();
  await expect.element(views).not.toBeInTheDocument();
});

test("the palette offers tabs and views, and keys move between tabs", async () => {
  const address = await showTabs("/?tab=table");
  expect(keyboard.pageActions().map(({ label }) => label)).toEqual([
    "Tab: Overview",
    "Tab: Results",
    "Tab: Results, Outputs",
    "Tab: Results, Table",
  ]);
  keyboard.pageActions().at(2)?.act();
  await expect.element(page.getByText("A gallery")).toBeVisible();
  keyboard.action("tab.previous")?.();
  await expect.element(page.getByText("At a glance")).toBeVisible();
  expect(address()).toBe("/");
});
