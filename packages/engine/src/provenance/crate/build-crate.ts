import type { Process } from "@weft/cwl/model/process.ts";
import { addDocuments } from "./add-documents.ts";
import { addLogs } from "./add-logs.ts";
import { CrateFiles } from "./crate-files.ts";
import { CrateGraph, crateTime, idPart, ref, refs } from "./crate-graph.ts";
import type { Crate, CratePart } from "./crate-part.ts";
import { addRecord, textFacts } from "./crate-record.ts";
import type { CrateRequest } from "./crate-request.ts";
import { addProfiles, CONTEXT } from "./crate-profiles.ts";
import { crateReport } from "./crate-report.ts";
import { processAt } from "./crate-source.ts";
import { describeLanguage, describeProcess } from "./describe-process.ts";
import { describeRun } from "./describe-run.ts";
import type { RunAgents } from "./describe-run.ts";
import { ProcessIds } from "./process-ids.ts";
import { filesOfRun, runFacts, runSummary, stepRows } from "./crate-facts.ts";
import type { CrateSource } from "./crate-source.ts";

const ADDRESSES = {
  name: "weft/files.jsonl",
  title: "The recorded location of each file of the crate",
  mediaType: "application/x-ndjson",
};
const README = "README.md";
const REPORT = "report.html";
const MAIN_LICENCE = "#no-licence-stated";

/**
 * An ended run as a Provenance Run Crate 0.5 on RO-Crate 1.1: the document, the files read and written, and an action
 * for the run and for each attempt of each job. The events themselves are included, so that nothing is lost for which
 * the standard has no term.
 */
export async function buildCrate(request: CrateRequest): Promise<Crate> {
  const { source, outputsUri, resolve, reach } = request;
  const { run, process } = source;
  const isNetwork = process.class === "Workflow";
  const graph = new CrateGraph();
  const profiles = addProfiles(graph, isNetwork);
  const agents = addAgents(graph, request);
  const ids = new ProcessIds(process);
  const files = new CrateFiles({ graph, outputsUri, resolve, reach });
  files.note(source.files);
  const actions = await describeRun(source, agents, { graph, ids, files, hasParameters: true });
  describeDocument(request, graph, ids);
  const addresses = { ...ADDRESSES, text: files.addressLines };
  const documents = addDocuments({ ...request, records: [...request.records, addresses] }, graph, ids);
  const logs = await addLogs(request, graph);
  const pages = addPages(request, graph, files);
  const data = [...files.close(), ...documents.ids, ...logs.ids, ...pages.map(({ name }) => name)];
  graph.add({
    ...rootFacts(run, agents),
    conformsTo: refs(profiles),
    hasPart: refs(data),
    mentions: refs([...actions, ...graph.ofType("Collection")]),
    ...(isNetwork ? { mainEntity: ref(ids.file) } : {}),
  });
  const metadata = `${JSON.stringify({ "@context": CONTEXT, "@graph": graph.toJson() }, null, 2)}\n`;
  return {
    metadata,
    parts: [
      { kind: "text", name: "ro-crate-metadata.json", text: metadata },
      ...pages,
      ...documents.parts,
      ...files.parts,
      ...logs.parts,
    ],
  };
}

/** The crate as a whole: its content, author and date. */
function rootFacts(run: CrateSource["run"], { person }: RunAgents) {
  return {
    "@id": "./",
    "@type": "Dataset",
    name: `Run of ${run.name}`,
    description: `What the run ${run.runId} of ${run.processId} read, did and wrote, as recorded by Weft.`,
    license: ref(MAIN_LICENCE),
    datePublished: crateTime(run.endedMs ?? run.updatedMs),
    author: ref(person),
    publisher: ref(person),
  };
}

/** The descriptions for people: README and report. */
function addPages(
  { source, engineVersion }: CrateRequest,
  graph: CrateGraph,
  files: CrateFiles,
): Extract<CratePart, { readonly kind: "text" }>[] {
  const readme = crateReadme(source, files.parts.filter(({ kind }) => kind === "file").length);
  addRecord(graph, { name: README, text: readme, title: "About this crate", mediaType: "text/markdown" }, "./");
  const report = crateReport({ source, engineVersion, nameOf: (uri) => files.nameOf(uri) });
  addRecord(graph, { name: REPORT, text: report, title: "The run as one page", mediaType: "text/html" }, "./");
  return [
    { kind: "text", name: README, text: readme },
    { kind: "text", name: REPORT, text: report },
  ];
}

function addAgents(graph: CrateGraph, { source, engineVersion }: CrateRequest): RunAgents {
  graph.add({
    "@id": MAIN_LICENCE,
    "@type": "CreativeWork",
    name: "No licence stated",
    description: `No license is stated; ask ${source.run.owner}.`,
  });
  const person = graph.add({
    "@id": `#person/${idPart(source.run.owner)}`,
    "@type": "Person",
    name: source.run.owner,
  });
  return { person, engineVersion };
}

/** The document as the network with its steps and tools, or as the tool. */
function describeDocument({ source }: CrateRequest, graph: CrateGraph, ids: ProcessIds): void {
  const { process, jobs, run, blob } = source;
  const text = blob(run.document);
  describeLanguage(graph, process.cwlVersion);
  const executed = new Set<string>();
  const versions = new Map<Process, string>();
  for (const { step, tool, startedMs, attempts } of jobs) {
    const found = processAt(process, step);
    if (found === undefined) continue;
    if (startedMs !== null || attempts.length > 0) executed.add(ids.of(found));
    if (tool.version !== null) versions.set(found, tool.version);
  }
  const description = {
    graph,
    ids,
    executed,
    versionOf: (of: Process) => versions.get(of),
    documentFacts: documentFacts(text, run.processVersion),
  };
  describeProcess(process, description, true);
  if (process.class !== "Workflow")
    graph.add({
      "@id": ids.file,
      "@type": ["File", "SoftwareSourceCode"],
      name: process.label ?? process.name,
      ...documentFacts(text, run.processVersion),
    });
}

function documentFacts(text: string, version: string | null) {
  return {
    encodingFormat: "application/cwl+json",
    ...textFacts(text),
    ...(version === null ? {} : { version }),
  };
}

/** What somebody should know who finds the crate and has no program that reads crates. */
function crateReadme(source: CrateSource, payloadFiles: number): string {
  const { run, process } = source;
  const { kind, process: name, end } = runSummary(source);
  return [
    `# ${run.name}`,
    `A run of the ${kind} **${name}** by ${run.owner}, recorded by Weft. ${end}`,
    process.doc?.trim() ?? "",
    "## The run",
    textTable(["", ""], runFacts(source)),
    "## Steps",
    textTable(["Step", "Tool", "Jobs", "Failed"], stepRows(source)),
    "## Outputs",
    outputsText(source),
    "## What is in this folder",
    contentsText(source, payloadFiles),
  ]
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

function outputsText({ files }: CrateSource): string {
  const rows = filesOfRun(files, "output").map((file) => [
    file.port + file.place,
    file.name,
    String(file.size ?? ""),
    file.sha256 ?? file.checksum ?? "",
  ]);
  return rows.length === 0 ? "None." : textTable(["Output", "File", "Bytes", "SHA-256 (or SHA-1)"], rows);
}

function contentsText({ process }: CrateSource, payloadFiles: number): string {
  const document = process.class === "Workflow" ? "workflow.cwl" : "tool.cwl";
  return [
    `- \`ro-crate-metadata.json\`: the complete description for programs, as a ${process.class === "Workflow" ? "Provenance Run Crate" : "Process Run Crate"} 0.5 on RO-Crate 1.1`,
    `- \`${document}\`, \`inputs.json\`, \`outputs.json\`: the document that ran, and its input and output objects`,
    `- \`outputs/\`, \`intermediate/\`, \`inputs/\`: ${payloadFiles} files that the run wrote and read, as far as they still existed`,
    "- `logs/`: standard output and standard error of the jobs",
    "- `weft/events.jsonl`: every event of the run with its hash; `weft/documents.jsonl`: the objects that events refer to; `weft/files.jsonl`: the recorded location of each file",
    "- `report.html`: this description and every job, with links to the files, for a browser or printer",
    "- `provenance.prov.json`, `provenance.provn`: the same as W3C PROV",
    "",
    "`npx weft verify` on this folder checks whether anything in it has been changed.",
  ].join("\n");
}

/** A table in Markdown; escapes characters that would end a cell. */
function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cellText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replace(/\s+/g, " ");
}
