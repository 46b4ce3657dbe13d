import type { Links } from "@weft/shared/links.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { FileRow, JobRow, RunRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";
import { timeText } from "../present/present-time.ts";

type Section = Record<string, Record<string, unknown>>;

interface ProvDocument {
  readonly prefix: Readonly<Record<string, string>>;
  readonly entity: Section;
  readonly activity: Section;
  readonly agent: Section;
  readonly used: Section;
  readonly wasGeneratedBy: Section;
  readonly wasAssociatedWith: Section;
  readonly wasStartedBy: Section;
  readonly wasDerivedFrom: Section;
}

const PAGE_SIZE = 500;

/**
 * What a run did, as W3C PROV-JSON (the PROV-DM's terms in JSON): the run and its jobs are activities, every file that was
 * read or written is an entity (an occurrence, never merged by content), people and the engine are agents. Read from the
 * log after the fact.
 */
export function provJson(run: RunRow, read: LogReader, links: Links): Readonly<Record<string, unknown>> {
  const prov = emptyDocument(links, run);
  addRun(prov, run);
  for (const job of pages((pageToken) => read.jobs(run.runId, { pageSize: PAGE_SIZE, pageToken }))) addJob(prov, job);
  for (const file of pages((pageToken) => read.files({ runId: run.runId, pageSize: PAGE_SIZE, pageToken })))
    addFile(prov, file, read);
  return { ...prov };
}

function* pages<Entry>(
  read: (pageToken: string | undefined) => { readonly entries: readonly Entry[]; readonly nextPageToken: string },
): Iterable<Entry> {
  let token: string | undefined;
  do {
    const page = read(token);
    yield* page.entries;
    token = page.nextPageToken;
  } while (token !== "");
}

function emptyDocument(links: Links, run: RunRow): ProvDocument {
  return {
    prefix: {
      prov: "http://www.w3.org/ns/prov#",
      xsd: "http://www.w3.org/2001/XMLSchema#",
      weft: `${links.run(run.runId)}#`,
    },
    entity: {},
    activity: {},
    agent: {},
    used: {},
    wasGeneratedBy: {},
    wasAssociatedWith: {},
    wasStartedBy: {},
    wasDerivedFrom: {},
  };
}

function addRun(prov: ProvDocument, run: RunRow): void {
  prov.agent["weft:owner"] = { "prov:type": "prov:Person", "prov:label": run.owner };
  prov.agent["weft:engine"] = { "prov:type": "prov:SoftwareAgent", "prov:label": "Weft" };
  prov.activity["weft:run"] = {
    ...times(run.startedMs, run.endedMs),
    "prov:label": run.name,
    "prov:type": "weft:Run",
    "weft:state": run.state,
    "weft:process": run.processId,
  };
  prov.entity["weft:process"] = {
    "prov:type": "prov:Plan",
    "prov:label": run.processLabel ?? run.processId,
    "weft:version": run.processVersion ?? "",
    "weft:digest": run.processDigest,
  };
  prov.wasAssociatedWith["_:run-engine"] = {
    "prov:activity": "weft:run",
    "prov:agent": "weft:engine",
    "prov:plan": "weft:process",
  };
  prov.wasAssociatedWith["_:run-owner"] = { "prov:activity": "weft:run", "prov:agent": "weft:owner" };
}

function addJob(prov: ProvDocument, job: JobRow): void {
  const id = jobId(job.jobId);
  prov.activity[id] = {
    ...times(job.startedMs, job.endedMs),
    "prov:label": job.sampleId === null ? job.step : `${job.step} (${job.sampleId})`,
    "prov:type": "weft:Job",
    "weft:state": job.state,
    ...(job.tool.id === null ? {} : { "weft:tool": `${job.tool.id} ${job.tool.version ?? ""}`.trim() }),
    ...(job.command === null ? {} : { "weft:command": JSON.stringify(job.command.argv) }),
    ...(job.container === null ? {} : { "weft:container": containerText(job.container) }),
    ...(job.exitCode === null ? {} : { "weft:exitCode": job.exitCode }),
  };
  prov.wasStartedBy[`_:start-${job.jobId}`] = { "prov:activity": id, "prov:starter": "weft:run" };
  prov.wasAssociatedWith[`_:job-${job.jobId}`] = { "prov:activity": id, "prov:agent": "weft:engine" };
}

function addFile(prov: ProvDocument, file: FileRow, read: LogReader): void {
  const entity = entityId(file.uri);
  const activity = file.jobId === null ? "weft:run" : jobId(file.jobId);
  prov.entity[entity] ??= {
    "prov:label": file.name,
    "prov:type": "weft:File",
    "weft:location": file.uri,
    ...(file.checksum === null ? {} : { "weft:checksum": file.checksum }),
    ...(file.size === null ? {} : { "weft:size": file.size }),
  };
  const link = {
    "prov:activity": activity,
    "prov:entity": entity,
    "prov:role": { $: `weft:${file.port}`, type: "prov:QUALIFIED_NAME" },
  };
  if (file.direction === "input") prov.used[`_:used-${file.id}`] = link;
  else prov.wasGeneratedBy[`_:made-${file.id}`] = link;
  if (file.sourceUri !== null && read.writerOf(file.runId, file.sourceUri) !== undefined) {
    prov.wasDerivedFrom[`_:copy-${file.id}`] = {
      "prov:generatedEntity": entity,
      "prov:usedEntity": entityId(file.sourceUri),
    };
  }
}

function jobId(id: string): string {
  return `weft:job/${id}`;
}

/** One entity for one address: what a job wrote and the next one read is the same occurrence. */
function entityId(uri: string): string {
  return `weft:file/${uri.replace(/^weft-data:\/\//, "")}`;
}

function times(startMs: number | null, endMs: number | null): Record<string, string> {
  return {
    ...(startMs === null ? {} : { "prov:startTime": timeText(startMs) }),
    ...(endMs === null ? {} : { "prov:endTime": timeText(endMs) }),
  };
}
