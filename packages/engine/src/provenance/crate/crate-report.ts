import { recordedValues } from "../../values/record-values.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import { containerText } from "../../present/present-job.ts";
import { plainValues } from "../compare/compare-values.ts";
import { filesOfRun, runFacts, runSummary, stepRows } from "./crate-facts.ts";
import { idPart } from "./crate-graph.ts";
import type { CrateSource } from "./crate-source.ts";

/** More jobs than a person reads; the metadata contain all of them. */
const SHOWN_JOBS = 2000;

export interface ReportedCrate {
  readonly source: CrateSource;
  readonly engineVersion: string | undefined;
  /** The crate's name of the file at a location; undefined if it is not in the crate. */
  readonly nameOf: (uri: string) => string | undefined;
}

/**
 * The run as one page for a browser or printer: no scripts, no external resources, links only to files of the crate.
 */
export function crateReport({ source, engineVersion, nameOf }: ReportedCrate): string {
  const { run, process, jobs, files, blob } = source;
  const { kind, process: name, end } = runSummary(source);
  const facts = [...runFacts(source), ["Weft", engineVersion ?? "not recorded"]];
  const doc = process.doc?.trim() ?? "";
  const body = [
    `<h1>${text(run.name)}</h1>`,
    `<p>A run of the ${text(kind)} <strong>${text(name)}</strong> by ${text(run.owner)}. ${text(end)}</p>`,
    doc === "" ? "" : `<p class="doc">${text(doc)}</p>`,
    table(
      "The run",
      [],
      facts.map((cells) => cells.map(text)),
    ),
    table("Inputs: files", FILE_HEAD, fileRows(filesOfRun(files, "input"), nameOf)),
    table("Inputs: values", VALUE_HEAD, valueRows(run.inputs, blob)),
    table("Outputs: files", FILE_HEAD, fileRows(filesOfRun(files, "output"), nameOf)),
    table("Outputs: values", VALUE_HEAD, valueRows(run.outputs, blob)),
    table(
      "Steps",
      ["Step", "Tool", "Jobs", "Failed"],
      stepRows(source).map((cells) => cells.map(text)),
    ),
    table("Jobs", JOB_HEAD, jobs.slice(0, SHOWN_JOBS).map(jobCells)),
    jobs.length > SHOWN_JOBS ? `<p>The metadata of the crate lists ${jobs.length - SHOWN_JOBS} more jobs.</p>` : "",
  ];
  return `${HEAD}<title>${text(run.name)}</title>\n${STYLE}\n${body.filter((part) => part !== "").join("\n")}\n</html>\n`;
}

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
`;

const STYLE = `<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } .doc { white-space: pre-line; }
div { overflow-x: auto; } table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0;
  border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); overflow-wrap: break-word; }
@media print { div { overflow: visible; } td { overflow-wrap: anywhere; } }
</style>`;

const FILE_HEAD = ["Port", "File", "Bytes", "SHA-256 (or SHA-1)"];
const VALUE_HEAD = ["Port", "Value"];
const JOB_HEAD = ["Job", "Sample", "State", "Exit code", "Seconds", "CPU seconds", "Peak MiB", "Ran in"];

/** Cells are HTML. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return `<h2>${title}</h2>\n<p>None.</p>`;
  const line = (cells: readonly string[], tag: "td" | "th") =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const top = head.length === 0 ? "" : `<thead>${line(head, "th")}</thead>\n`;
  return `<h2>${title}</h2>\n<div tabindex="0" role="region" aria-label="${title}"><table>\n${top}${rows.map((cells) => line(cells, "td")).join("\n")}\n</table></div>`;
}

function fileRows(files: readonly FileRow[], nameOf: ReportedCrate["nameOf"]): string[][] {
  return files.map((file) => {
    const inCrate = nameOf(file.uri);
    const name = inCrate === undefined ? text(file.name) : `<a href="${text(idPart(inCrate))}">${text(file.name)}</a>`;
    return [text(file.port + file.place), name, String(file.size ?? ""), text(file.sha256 ?? file.checksum ?? "")];
  });
}

/** Rows of an input or output object; none without a digest. */
function valueRows(digest: string | null, blob: CrateSource["blob"]): string[][] {
  const values = digest === null ? {} : recordedValues(blob(digest));
  return [...plainValues(values)].map(([place, value]) => [text(place), text(JSON.stringify(value))]);
}

function jobCells(job: JobRow): string[] {
  const { jobId, sampleId, state, exitCode, startedMs, endedMs, cpuMs, maxRssBytes, container } = job;
  const seconds = (ms: number | null) => (ms === null ? "" : (ms / 1000).toFixed(1));
  return [
    text(jobId),
    text(sampleId ?? ""),
    text(state),
    exitCode === null ? "" : String(exitCode),
    seconds(startedMs === null || endedMs === null ? null : endedMs - startedMs),
    seconds(cpuMs),
    maxRssBytes === null ? "" : (maxRssBytes / 1024 ** 2).toFixed(0),
    text(container === null ? "" : containerText(container)),
  ];
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a name or message so that it is plain text. */
function text(of: string): string {
  return of.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");
}
