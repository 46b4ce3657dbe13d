import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { inputRecord } from "../../testing/input-record.ts";
import { renderPart, SESSION } from "../../testing/render-part.tsx";
import { TestBadge, ValidityBadge } from "../badges.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { CannotRun } from "./issue-list.tsx";
import { ParameterTables } from "./parameter-tables.tsx";
import { CatalogName, EditLink, ProcessLink, RunNetworkLink } from "./process-link.tsx";
import { SourceView } from "./source-view.tsx";
import { VersionSelect } from "./version-select.tsx";

const ISSUES: readonly ValidationIssue[] = [
  {
    severity: "error",
    code: "unknown-field",
    message: "unknown field",
    file: "a.cwl",
    line: 2,
    column: 1,
    hint: "did you mean inputs?",
  },
  { severity: "warning", code: "no-label", message: "no label", file: "a.cwl", line: 1, column: 1 },
];

test("the source of a document lists its problems and links them to their lines", async () => {
  await renderPart(<SourceView source={[{ file: "a.cwl", text: "class: Workflow\ninptus: {}\n" }]} issues={ISSUES} />);
  await expect.element(page.getByText("1 error, 1 warning")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "a.cwl:2:1" })).toHaveAttribute("href", "#a.cwl:2");
  const line = page.getByRole("region", { name: "Text of a.cwl" }).getByRole("listitem").nth(1);
  await expect.element(line).toHaveAttribute("id", "a.cwl:2");
  await expect.element(line).toHaveClass("bg-failed-soft");
});

test("a document that cannot run says why, and one with only a warning says nothing", async () => {
  await renderPart(<CannotRun noun="network" issues={ISSUES} />);
  await expect
    .element(page.getByRole("alert"))
    .toMatchTextContent(/has an error:a\.cwl:2:1 unknown field.*did you mean/);
});

test("parameters and list entries are named by their labels, with the id below", async () => {
  const inputs = [inputRecord("fwhm_mm", "float", { label: "Smoothing", default: 6 }), inputRecord("image", "File")];
  await renderPart(
    <>
      <ParameterTables inputs={inputs} outputs={[]} />
      <CatalogName to="/tool/smooth" id="smooth" label="Smooth" />
    </>,
  );
  const row = page.getByRole("table", { name: "Inputs" }).getByRole("row");
  await expect.element(row.nth(1)).toMatchTextContent(/^Smoothingfwhm_mm.*float6$/);
  await expect.element(row.nth(2)).toMatchTextContent(/^imagerequired/);
  await expect.element(page.getByText("None.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Smooth", exact: true })).toHaveAttribute("href", "/tool/smooth");
});

test("links to start and to edit depend on the role", async () => {
  const links = (
    <>
      <RunNetworkLink id="cohort" />
      <EditLink to="/edit" label="Edit" />
      <ProcessLink run={{ network: { id: "cohort", version: null, digest: "d", url: "" }, foreign: true }} />
    </>
  );
  const viewer = await renderPart(links, { answers: { "GET /api/session": () => ({ ...SESSION, role: "viewer" }) } });
  await expect.element(page.getByText("cohort")).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
  await viewer.unmount();
  await renderPart(links, { answers: { "GET /api/session": () => SESSION } });
  await expect
    .element(page.getByRole("link", { name: "Run cohort" }))
    .toHaveAttribute("href", "/network/cohort?tab=run");
  await expect.element(page.getByRole("link", { name: "Edit" })).toBeVisible();
});

test("a version is chosen among all, and exported under its name", async () => {
  const chosen: string[] = [];
  const version = (name: string, deprecated: boolean) => ({ version: name, deprecated }) as never; // the shown fields
  await renderPart(
    <>
      <VersionSelect
        label="Version"
        versions={[version("2.0.0", false), version("1.0.0", true)]}
        value="2.0.0"
        onChange={(next) => chosen.push(next)}
      />
      <ExportMenu name="smooth-2.0.0" packed="/packed" sources="/sources" />
    </>,
  );
  await page.getByRole("combobox", { name: "Version" }).selectOptions("1.0.0 (deprecated)");
  expect(chosen).toEqual(["1.0.0"]);
  await page.getByText("Export").click();
  await expect
    .element(page.getByRole("link", { name: "Packed document" }))
    .toHaveAttribute("download", "smooth-2.0.0.cwl");
  await expect.element(page.getByRole("link", { name: /^Folder/ })).toHaveAttribute("href", "/sources");
});

test("a badge has a word, and a test says that it is older than the document", async () => {
  const last = { state: "passed", is_current: false } as never; // the shown fields
  await renderPart(
    <>
      <ValidityBadge status="warnings" />
      <TestBadge test={{ issues: [], last }} />
    </>,
  );
  await expect.element(page.getByText("Warnings")).toBeVisible();
  await expect.element(page.getByText("Passed")).toBeVisible();
  await expect.element(page.getByText("Changed since")).toBeVisible();
});
