import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { FilePicker } from "./file-picker.tsx";
import { Segments } from "./segments.tsx";
import { ViewToolbar } from "./view-toolbar.tsx";

test("the buttons of a drawing act, and say whether they are on", async () => {
  const fit = vi.fn();
  await render(
    <ViewToolbar
      tools={[
        { label: "Fit", icon: "fit", act: fit },
        { label: "Map", icon: "map", act: vi.fn(), pressed: true },
      ]}
    />,
  );
  const tools = page.getByRole("group", { name: "View" });
  await tools.getByRole("button", { name: "Fit" }).click();
  expect(fit).toHaveBeenCalledTimes(1);
  await expect.element(tools.getByRole("button", { name: "Map", pressed: true })).toBeVisible();
});

test("one of several segments is pressed", async () => {
  const choose = vi.fn();
  const options = [
    { id: "list", label: "List", note: <span>3</span> },
    { id: "tree", label: "Tree" },
  ] as const;
  await render(<Segments label="View" options={options} chosen="list" onChoose={choose} />);
  await expect.element(page.getByRole("button", { name: "List 3", pressed: true })).toBeVisible();
  await page.getByRole("button", { name: "Tree", pressed: false }).click();
  expect(choose).toHaveBeenCalledExactlyOnceWith("tree");
});

test("a file can be chosen again after it was refused", async () => {
  const take = vi.fn<(files: readonly File[]) => void>();
  await render(<FilePicker label="Sheet" icon="upload" text="Choose…" accept=".csv" onFiles={take} />);
  await expect.element(page.getByRole("button", { name: "Choose…" })).toBeVisible();
  for (const text of ["a", "b"]) {
    await page.getByLabelText("Sheet").upload(new File([text], "samples.csv"));
  }
  expect(take.mock.calls.map(([files]) => files.map(({ name }) => name))).toEqual([["samples.csv"], ["samples.csv"]]);
});
