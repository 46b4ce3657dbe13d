import type { Links } from "@weft/shared/links.ts";
import type { FileRow, JobRow, RunRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";
import { timeText } from "../present/present-time.ts";

/** Attribute values: a text, a number, or a qualified name. */
export type ProvValue = string | number | { readonly $: string; readonly type: "prov:QUALIFIED_NAME" };
export type ProvStatement = Readonly<Record<string, ProvValue>>;
export type ProvSection = Record<string, ProvStatement>;

/** PROV-DM's terms, as PROV-JSON groups them. */
export interface ProvDocument {
  readonly prefix: Readonly<Record<string, string>>;
  readonly entity: ProvSection;
  readonly activity: ProvSection;
  readonly agent: ProvSection;
  readonly used: ProvSection;
  readonly wasGeneratedBy: ProvSection;
  readonly wasAssociatedWith: ProvSection;
  readonly wasStartedBy: ProvSection;
  readonly wasDerivedFrom: ProvSection;
}

export interface ProvSource {
  readonly run: RunRow;
  readonly jobs: Iterable<JobRow>;
  readonly files: Iterable<FileRow>;
  /** True if a job of this run wrote the file at a location. */
  readonly isWritten: (uri: string) => boolean;
}

/**
 * A run in terms of W3C PROV: the run and its jobs are activities, every file read or written is an entity (an
 * occurrence, never merged by content), people and the engine are agents. Computed from the log afterwards.
 */
export function provDocument({ run, jobs, files, isWritten }: ProvSource, links: Links): ProvDocument {
  const prov = emptyDocument(links, run);
  addRun(prov, run);
  for (const job of jobs) addJob(prov, job);
  for (const file of files) addFile(prov, file, isWritten);
  return prov;
}

function emptyDocument(links: Links, run: RunRow): ProvDocument {
  return {
    prefix: { weft: `${links.run(run.runId)}#` },
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
  prov.agent["weft:owner"] = { "prov:type": name("prov:Person"), "prov:label": run.owner };
  prov.agent["weft:engine"] = { "prov:type": name("prov:SoftwareAgent"), "prov:label": "Weft" };
  prov.activity["weft:run"] = {
    ...times(run.startedMs, run.endedMs),
    "prov:label": run.name,
    "prov:type": name("weft:Run"),
    "weft:state": run.state,
    "weft:process": run.processId,
  };
  prov.entity["weft:process"] = {
    "prov:type": name("prov:Plan"),
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

/** Names the earlier job whose result a job reused. */
function resultOf({ cache }: JobRow): Record<string, string> {
  const { decision, job } = cache ?? {};
  return decision === "hit" && job !== undefined ? { "weft:resultOf": `${job.run_id}/${job.job_id}` } : {};
}

function addJob(prov: ProvDocument, job: JobRow): void {
  const id = jobId(job.jobId);
  prov.activity[id] = {
    ...times(job.startedMs, job.endedMs),
    "prov:label": job.sampleId === null ? job.step : `${job.step} (${job.sampleId})`,
    "prov:type": name("weft:Job"),
    "weft:state": job.state,
    "weft:attempt": job.attempt,
    ...(job.tool.id === null ? {} : { "weft:tool": `${job.tool.id} ${job.tool.version ?? ""}`.trim() }),
    ...(job.command === null ? {} : { "weft:command": JSON.stringify(job.command.argv) }),
    ...(job.container === null ? {} : { "weft:container": containerText(job.container) }),
    ...(job.exitCode === null ? {} : { "weft:exitCode": job.exitCode }),
    ...(job.cpuMs === null ? {} : { "weft:cpuMs": job.cpuMs }),
    ...(job.maxRssBytes === null ? {} : { "weft:maxRssBytes": job.maxRssBytes }),
    ...resultOf(job),
  };
  prov.wasStartedBy[`_:start-${job.jobId}`] = { "prov:activity": id, "prov:starter": "weft:run" };
  prov.wasAssociatedWith[`_:job-${job.jobId}`] = { "prov:activity": id, "prov:agent": "weft:engine" };
}

function addFile(prov: ProvDocument, file: FileRow, isWritten: (uri: string) => boolean): void {
  const entity = entityId(file.uri);
  prov.entity[entity] ??= {
    "prov:label": file.name,
    "prov:type": name(`weft:${file.class}`),
    "weft:location": file.uri,
    ...(file.checksum === null ? {} : { "weft:checksum": file.checksum }),
    ...(file.sha256 === null ? {} : { "weft:sha256": file.sha256 }),
    ...(file.size === null ? {} : { "weft:size": file.size }),
  };
  const link = {
    "prov:activity": file.jobId === null ? "weft:run" : jobId(file.jobId),
    "prov:entity": entity,
    "prov:role": name(`weft:${file.port}`),
    ...(file.place === "" ? {} : { "weft:place": file.place }),
  };
  if (file.direction === "input") prov.used[`_:used-${file.id}`] = link;
  else prov.wasGeneratedBy[`_:made-${file.id}`] = link;
  if (file.sourceUri !== null && isWritten(file.sourceUri)) {
    prov.wasDerivedFrom[`_:copy-${file.id}`] = {
      "prov:generatedEntity": entity,
      "prov:usedEntity": entityId(file.sourceUri),
    };
  }
}

function name(text: string): ProvValue {
  return { $: text, type: "prov:QUALIFIED_NAME" };
}

function jobId(id: string): string {
  return `weft:job/${id}`;
}

/** One entity per location: a job's output that the next job reads is the same occurrence. */
function entityId(uri: string): string {
  return `weft:file/${uri.replace(/^weft-data:\/\//, "")}`;
}

function times(startMs: number | null, endMs: number | null): Record<string, string> {
  return {
    ...(startMs === null ? {} : { "prov:startTime": timeText(startMs) }),
    ...(endMs === null ? {} : { "prov:endTime": timeText(endMs) }),
  };
}
