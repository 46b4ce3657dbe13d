import type { Tool } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { inputRecord } from "../../testing/input-record.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { toolRecord } from "../../testing/tool-record.ts";
import ToolComparison from "./tool-comparison.tsx";

function tool(version: string, more: Partial<Tool>): Tool {
  const versions = ["2.0.0", "1.0.0"].map((each) => {
    return { version: each, url: "", deprecated: false, digest: each, pinned: true };
  });
  return toolRecord({ version, versions, digest: version, ...more });
}

function compare(older: Partial<Tool>, newer: Partial<Tool>) {
  return renderPart(<ToolComparison tool={tool("2.0.0", newer)} />, {
    answers: { "GET /api/tools/{id}/{version}": () => tool("1.0.0", older) },
  });
}

test("two versions are compared by their effects, then line by line", async () => {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const source = (text: string, version: string) => [{ file: `tools/threshold/${version}/threshold.cwl`, text }];
  await compare(
    { source: source(lines.join("\n"), "1.0.0") },
    {
      source: source(lines.with(10, "another").join("\n"), "2.0.0"),
      inputs: [inputRecord("method", "string", { default: "otsu" })],
    },
  );
  await expect.element(page.getByRole("heading", { name: "From 1.0.0 to 2.0.0" })).toBeVisible();
  const method = page.getByRole("listitem").filter({ hasText: /Input method .* was added with the default "otsu"/ });
  await expect.element(method).toMatchTextContent(/results may differ/);
  const changes = page.getByRole("region", { name: /^Changes of threshold.cwl/ });
  await expect.element(changes.getByText("… 7 unchanged lines")).toBeVisible();
  await expect.element(changes.getByText("removed:")).toBeInTheDocument();
  await expect.element(changes.getByText("added:")).toBeInTheDocument();
});

test("the effect of a change stays on one line next to a long text", async () => {
  await page.viewport(390, 844);
  await compare(
    { inputs: [inputRecord("method", "string", { default: "otsu ".repeat(30) }), inputRecord("level", "float")] },
    { inputs: [inputRecord("method", "string", { default: "mean" }), inputRecord("level", "double")] },
  );
  const [long, short] = [page.getByText("results may differ"), page.getByText("breaking")];
  await expect.element(long).toBeVisible();
  const heightOf = (word: typeof long) => word.first().element().getBoundingClientRect().height;
  expect(heightOf(long)).toBe(heightOf(short));
});
