import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import { DocText } from "../markdown/markdown-view.tsx";
import { FilePreview } from "./file-preview.tsx";

function preview(name: string, text: string) {
  return renderPart(<FilePreview url={`/api/runs/r/files/${name}`} name={name} sizeBytes={text.length} />, {
    answers: { "GET /api/runs/{run_id}/files/{path}": () => new Response(text) },
  });
}

test("a table is shown as one, with its first 200 rows", async () => {
  await preview("a.csv", ["name,size", ...Array.from({ length: 300 }, (_, n) => `n${n},${n}`)].join("\n"));
  await expect.element(page.getByRole("columnheader", { name: "size" })).toHaveClass("number");
  await expect.element(page.getByText("The first 200 rows are shown.")).toBeVisible();
  expect(page.getByRole("row").elements()).toHaveLength(201);
});

test("JSON is a tree that can be read as text, and broken JSON is text", async () => {
  const { unmount } = await preview("a.json", '{"sizes": [1, 2]}');
  await expect.element(page.getByText("sizes: ")).toBeVisible();
  await page.getByRole("button", { name: "Show as text" }).click();
  await expect.element(page.getByRole("region", { name: "a.json" })).toMatchTextContent(/^\{\s+"sizes": \[/);
  await unmount();
  await preview("b.json", '{"sizes": [');
  await expect.element(page.getByText('{"sizes": [')).toBeVisible();
});

test("a page that a job wrote cannot run scripts, and an empty file says so", async () => {
  const { unmount } = await preview("a.html", "<script>1</script>");
  await expect.element(page.getByTitle("a.html")).toHaveAttribute("sandbox", "");
  await unmount();
  await preview("a.txt", "");
  await expect.element(page.getByText("The file is empty.")).toBeVisible();
});

test("the text of a document keeps its structure, and its HTML stays text", async () => {
  await renderPart(<DocText text={"Steps:\n\n1. **Smooth**\n   - by 6 mm\n\n<b>not bold</b>"} />);
  await expect.element(page.getByRole("listitem").first()).toMatchTextContent(/Smooth.*by 6 mm/);
  await expect.element(page.getByText("<b>not bold</b>")).toBeVisible();
});
