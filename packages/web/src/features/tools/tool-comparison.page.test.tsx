import type { Tool } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import ToolComparison from "./tool-comparison.tsx";

function tool(version: string, fallback: string): Tool {
  return {
    ...{ id: "threshold", version, url: "", digest: version, class: "CommandLineTool", validation_status: "valid" },
    versions: ["2.0.0", "1.0.0"].map((each) => ({
      version: each,
      url: "",
      deprecated: false,
      digest: each,
      pinned: true,
    })),
    stats: { runs: 0, last_run_at: null, median_duration_ms: null },
    ...{ cwl_version: "v1.2", examples: [], outputs: [], validation: { status: "valid", issues: [] }, source: [] },
    inputs: [
      { id: "method", type: { kind: "string" }, type_text: "string", required: false, default: fallback },
      { id: "level", type: { kind: "Any" }, type_text: version === "1.0.0" ? "float" : "double", required: false },
    ],
    command: { base_command: ["node"], arguments: [], template_text: "node x" },
    ...{ links: {}, container: null, software: [], resources: {}, environment: {}, used_by: [] },
  };
}

test("the effect of a change stays on one line next to a long text", async () => {
  await page.viewport(390, 844);
  const older = tool("1.0.0", "otsu ".repeat(30));
  await renderPart(<ToolComparison tool={tool("2.0.0", "mean")} />, {
    answers: { "GET /api/tools/{id}/{version}": () => older },
  });
  const [long, short] = [page.getByText("results may differ"), page.getByText("breaking")];
  await expect.element(long).toBeVisible();
  const heightOf = (word: typeof long) => word.first().element().getBoundingClientRect().height;
  expect(heightOf(long)).toBe(heightOf(short));
});
