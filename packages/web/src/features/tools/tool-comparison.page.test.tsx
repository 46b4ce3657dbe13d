import type { InputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { inputRecord } from "../../testing/input-record.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { toolRecord } from "../../testing/tool-record.ts";
import ToolComparison, { compareTools, pairSources } from "./tool-comparison.tsx";

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

function input(id: string, type_text: string, more: Partial<InputRecord> = {}): InputRecord {
  return { id, type: { kind: "Any" }, type_text, required: false, ...more };
}

const SIGNS = { breaking: "! ", results: "~ ", compatible: "" };

test("compareTools", () => {
  const cases: [Partial<Tool>, Partial<Tool>, string[]][] = [
    [{}, {}, []],
    [{ inputs: [input("level", "float")] }, { inputs: [] }, ["! Input level was removed"]],
    [{ inputs: [] }, { inputs: [input("level", "float?")] }, ["Input level (float?) was added"]],
    [
      { inputs: [] },
      { inputs: [input("method", "string", { default: "otsu" })] },
      ['~ Input method (string) was added with the default "otsu"'],
    ],
    [
      { inputs: [] },
      { inputs: [input("level", "float", { required: true })] },
      ["! Input level (float) was added, required"],
    ],
    [
      { inputs: [input("level", "float", { default: 1 })] },
      { inputs: [input("level", "double", { default: 2, required: true })] },
      [
        "! Input level changed its type from float to double",
        "! Input level is now required",
        "~ The default of level changed from 1 to 2",
      ],
    ],
    [
      { inputs: [input("program", "File", { default: { class: "File", location: "1.0/run.sh" } })] },
      { inputs: [input("program", "File", { default: { class: "File", location: "2.0/run.sh" } })] },
      [],
    ],
    [{ outputs: [{ id: "mask", type: { kind: "File" }, type_text: "File" }] }, {}, ["! Output mask was removed"]],
    [{}, { container: { image: "x:2" } }, ["~ The container changed from none to x:2"]],
  ];
  for (const [older, newer, texts] of cases) {
    const found = compareTools(toolRecord(older), toolRecord(newer)).map(({ text, effect }) => SIGNS[effect] + text);
    expect(found).toEqual(texts);
  }
});

test("files are paired by name, and files of only one version are kept", () => {
  const older = [
    { file: "tools/t/1.0.0/t.cwl", text: "a" },
    { file: "tools/t/1.0.0/types.yml", text: "b" },
  ];
  const newer = [
    { file: "tools/t/2.0.0/t.cwl", text: "c" },
    { file: "tools/t/2.0.0/extra.yml", text: "d" },
  ];
  expect(pairSources(older, newer)).toEqual([
    { name: "t.cwl", before: "a", after: "c" },
    { name: "extra.yml", before: undefined, after: "d" },
    { name: "types.yml", before: "b", after: undefined },
  ]);
});

test("two single files are a pair whatever their names", () => {
  expect(pairSources([{ file: "1/old.cwl", text: "a" }], [{ file: "2/new.cwl", text: "b" }])).toEqual([
    { name: "new.cwl", before: "a", after: "b" },
  ]);
});
