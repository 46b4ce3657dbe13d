import type { Process } from "@weft/cwl/model/process.ts";
import { CrateFiles, factsOf, type CratePart } from "./crate-files.ts";
import { CrateGraph, crateTime, idPart, ref, refs } from "./crate-graph.ts";
import { addRecord, textFacts, type CrateRecord } from "./crate-record.ts";
import { addProfiles, CONTEXT } from "./crate-profiles.ts";
import { crateReport } from "./crate-report.ts";
import { processAt, type CrateContext, type CrateSource } from "./crate-source.ts";
import { describeLanguage, describeProcess } from "./describe-process.ts";
import { describeRun, runActionId } from "./describe-run.ts";
import { ProcessIds } from "./process-ids.ts";
import { runnableDocuments, type RunnableDocuments } from "./runnable-documents.ts";
import { crateReadme } from "./crate-readme.ts";
import { join, sep } from "node:path";
import { hashOpenFile } from "../../files/hash-file.ts";
import { servableFile } from "../../files/servable-file.ts";
import type { JobRow } from "../../journal/rows.ts";
import { jobActionId } from "./describe-job.ts";
import type { Reach } from "../../files/beneath/reach.ts";

const ADDRESSES = {
  name: "weft/files.jsonl",
  title: "The recorded location of each file of the crate",
  mediaType: "application/x-ndjson",
};
const MAIN_LICENSE = "#no-licence-stated";

/**
 * An ended run as a Provenance Run Crate 0.5 on RO-Crate 1.1 and 1.2: the document, the files read and written, and an
 * action for the run and for each attempt of each job. Includes the events themselves, so that nothing is lost for
 * which the standard has no term.
 */
export async function buildCrate(request: CrateRequest): Promise<Crate> {
  const { source, outputsUri, resolve, reach } = request;
  const { run, process } = source;
  const isNetwork = process.class === "Workflow";
  const graph = new CrateGraph();
  const ids = new ProcessIds(process);
  const executed = executedProcesses(source, ids);
  const profiles = addProfiles(graph, !isNetwork ? "process" : executed.size === 0 ? "workflow" : "provenance");
  const person = addPerson(graph, run.owner);
  const files = new CrateFiles({ graph, outputsUri, resolve, reach });
  const context = { source, engineVersion: request.engineVersion, person, graph, ids, files };
  files.note(source.files);
  const actions = await describeRun(context);
  const runnable = await runnableDocuments(source, files);
  describeDocument(context, executed, runnable.document);
  const documents = addDocuments(runnable, request.records, context);
  const logs = await addLogs(request, graph);
  const pages = addPages(context);
  const data = [...files.close(), ...documents.ids, ...logs.ids, ...pages.map(({ name }) => name)];
  graph.add({
    ...rootFacts(run, person),
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
function rootFacts(run: CrateSource["run"], person: string) {
  return {
    "@id": "./",
    "@type": "Dataset",
    name: `Run of ${run.name}`,
    description: `What the run ${run.runId} of ${run.processId} read, did and wrote, as recorded by Weft.`,
    license: ref(MAIN_LICENSE),
    datePublished: crateTime(run.endedMs ?? run.updatedMs),
    author: ref(person),
    publisher: ref(person),
  };
}

/** The descriptions for people: README and report. */
function addPages({ source, engineVersion, graph, files }: CrateContext): CratePart[] {
  const readme = crateReadme(source, files.parts.filter(({ kind }) => kind === "file").length);
  const report = crateReport({ source, engineVersion, nameOf: (uri) => files.nameOf(uri) });
  const pages = [
    { name: "README.md", text: readme, title: "About this crate", mediaType: "text/markdown" },
    { name: "report.html", text: report, title: "The run as one page", mediaType: "text/html" },
  ];
  return pages.map((page) => {
    addRecord(graph, page, "./");
    return { kind: "text", name: page.name, text: page.text };
  });
}

/** Adds the owner, whom the license names too. Returns its id. */
function addPerson(graph: CrateGraph, owner: string): string {
  graph.add({
    "@id": MAIN_LICENSE,
    "@type": "CreativeWork",
    name: "No license stated",
    description: `No license is stated; ask ${owner}.`,
  });
  return graph.add({ "@id": `#person/${idPart(owner)}`, "@type": "Person", name: owner });
}

/** Ids of the processes of which a job ran, and of the networks around them. */
function executedProcesses({ process, jobs }: CrateSource, ids: ProcessIds): ReadonlySet<string> {
  const executed = new Set<string>();
  for (const { step, startedMs, attempts } of jobs) {
    if (startedMs === null && attempts.length === 0) continue;
    const names = step === "" ? [] : step.split("/");
    for (let depth = 0; depth <= names.length; depth += 1) {
      const found = processAt(process, names.slice(0, depth).join("/"));
      if (found !== undefined) executed.add(ids.of(found));
    }
  }
  return executed;
}

/** The document, with its text in the crate, as the network with its steps and tools, or as the tool. */
function describeDocument(
  { source, graph, ids, files }: CrateContext,
  executed: ReadonlySet<string>,
  text: string,
): void {
  const { process, jobs, run } = source;
  describeLanguage(graph, process.cwlVersion);
  const versions = new Map<Process, string>(run.processVersion === null ? [] : [[process, run.processVersion]]);
  for (const { step, tool } of jobs) {
    const found = processAt(process, step);
    if (found !== undefined && tool.version !== null) versions.set(found, tool.version);
  }
  const versionOf = (of: Process) => versions.get(of) ?? run.document;
  const documentFacts = { encodingFormat: "application/cwl+json", ...textFacts(text) };
  const withFiles = files.parameters;
  const collected = graph.exemplifiedBy("Collection");
  const examplesOf = (id: string) => ({ isFile: withFiles.has(id), isCollected: collected.has(id) });
  describeProcess(process, { graph, ids, executed, versionOf, examplesOf, documentFacts }, true);
  if (process.class !== "Workflow")
    graph.add({
      "@id": ids.file,
      "@type": ["File", "SoftwareSourceCode"],
      name: process.label ?? process.name,
      version: versionOf(process),
      ...documentFacts,
    });
}

/** The document, input and output objects of the run, and additional records. */
function addDocuments(
  { document, inputs, outputs }: RunnableDocuments,
  records: readonly CrateRecord[],
  { source: { run }, graph, ids, files }: CrateContext,
): { readonly ids: readonly string[]; readonly parts: readonly CratePart[] } {
  const mediaType = "application/json";
  const texts: readonly CrateRecord[] = [
    { name: "inputs.json", title: "Input object of the run", text: inputs, mediaType },
    ...(outputs === undefined
      ? []
      : [{ name: "outputs.json", title: "Output object of the run", text: outputs, mediaType }]),
    ...records,
    { ...ADDRESSES, text: files.addressLines },
  ];
  const about = graph.has(runActionId(run.runId)) ? runActionId(run.runId) : "./";
  return {
    ids: [ids.file, ...texts.map((record) => addRecord(graph, record, about))],
    parts: [{ name: ids.file, text: document }, ...texts].map(({ name, text }) => ({ kind: "text", name, text })),
  };
}

/** The standard streams of every attempt that wrote any and did not declare them as outputs. */
async function addLogs(
  request: CrateRequest,
  graph: CrateGraph,
): Promise<{ readonly ids: readonly string[]; readonly parts: readonly CratePart[] }> {
  const ids: string[] = [];
  const parts: CratePart[] = [];
  for (const log of request.source.jobs.flatMap((job) => logsOf(job, request))) {
    const found = await servableFile(log.path, request.logReach);
    if (found === undefined || found.size === 0 || !graph.has(log.action)) continue;
    using file = await found.open();
    const { sha1, sha256, sizeBytes } = await hashOpenFile(file, log.path);
    const id = idPart(log.name);
    graph.add({
      "@id": id,
      "@type": "File",
      name: log.name.slice("logs/".length),
      about: ref(log.action),
      ...factsOf({ checksum: sha1, sha256, size: sizeBytes }, log.name),
    });
    ids.push(id);
    parts.push({ kind: "file", name: log.name, open: found.open });
  }
  return { ids, parts };
}

function logsOf(job: JobRow, { attemptFolder }: CrateRequest) {
  if (job.command === null) return [];
  return Array.from({ length: job.attempt }, (_, index) => index + 1).flatMap((attempt) => {
    const folder = attemptFolder({ jobId: job.jobId, attempt });
    const isLast = attempt === job.attempt;
    const action = isLast ? jobActionId(job.jobId) : `${jobActionId(job.jobId)}/attempt/${attempt}`;
    const place = isLast ? `logs/${job.jobId}` : `logs/${job.jobId}/attempt-${attempt}`;
    return (["stdout", "stderr"] as const)
      .filter((stream) => job.command?.[stream]?.includes(`${sep}out${sep}`) !== true)
      .map((stream) => ({ name: `${place}/${stream}.txt`, action, path: join(folder, stream) }));
  });
}

export interface Crate {
  /** The text of `ro-crate-metadata.json`, which is the first part. */
  readonly metadata: string;
  readonly parts: readonly CratePart[];
}

interface CrateRequest {
  readonly source: CrateSource;
  readonly engineVersion: CrateContext["engineVersion"];
  /** Portable URL of the folder with the run's outputs, with a trailing slash. */
  readonly outputsUri: string;
  /** Absolute path of the folder of an attempt of a job. */
  readonly attemptFolder: (job: { readonly jobId: string; readonly attempt: number }) => string;
  /** The real path for a portable URL; undefined if it is not on this machine or must not be disclosed. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
  readonly reach: Reach;
  /** The files that a crate of this run may contain. */
  readonly logReach: Reach;
  /** Files about the run as a whole: its events, and its provenance in other formats. */
  readonly records: readonly CrateRecord[];
}
