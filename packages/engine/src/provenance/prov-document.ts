import type { LogReader } from "../journal/log-reader.ts";
import type { FileRow, JobRow, RunRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";
import { timeText } from "../present/present-time.ts";

/** An attribute value: a string, a number, or a qualified name. */
export type ProvValue = string | number | { readonly $: string; readonly type: "prov:QUALIFIED_NAME" };
export type ProvStatement = Readonly<Record<string, ProvValue>>;
export type ProvSection = Record<string, ProvStatement>;

/** A document in W3C PROV-JSON: PROV-DM's terms, by kind. */
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
  readonly specializationOf: ProvSection;
}

/**
 * After PROV's own: terms of Weft, parts of a run, and contents by their SHA-256 (RFC 6920). All documents of all
 * servers use these namespaces, so that they can be merged (ADR 29).
 */
const PREFIX = {
  prov: "http://www.w3.org/ns/prov#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
  weft: "https://w3id.org/ro/terms/weft#",
  run: "urn:uuid:",
  sha256: "ni:///sha-256;",
} as const;

export interface ProvSource {
  readonly run: RunRow;
  readonly jobs: Iterable<JobRow>;
  readonly files: Iterable<FileRow>;
  /** True if a job of this run wrote the file at a location. */
  readonly isWritten: (uri: string) => boolean;
}

/** The log of a run in terms of W3C PROV. */
export function provOfRun(run: RunRow, read: LogReader): ProvDocument {
  const { runId } = run;
  const isWritten = (uri: string) => read.writerOf(runId, uri) !== undefined;
  return provDocument({ run, jobs: read.jobsOfRun(runId), files: read.filesOfRun(runId), isWritten });
}

/**
 * A run in terms of W3C PROV: the run and its jobs are activities, every file read or written is an entity (an
 * occurrence), people and the engine are agents. Each occurrence is a specialization of its content, which is the same
 * entity in all runs. Computed from the log afterwards.
 */
export function provDocument({ run, jobs, files, isWritten }: ProvSource): ProvDocument {
  const prov = emptyDocument();
  addRun(prov, run);
  for (const job of jobs) addJob(prov, job);
  for (const file of files) addFile(prov, { file, runId: run.runId }, isWritten);
  return prov;
}

function emptyDocument(): ProvDocument {
  return {
    prefix: PREFIX,
    entity: {},
    activity: {},
    agent: {},
    used: {},
    wasGeneratedBy: {},
    wasAssociatedWith: {},
    wasStartedBy: {},
    wasDerivedFrom: {},
    specializationOf: {},
  };
}

const ENGINE = "weft:engine";

function addRun(prov: ProvDocument, run: RunRow): void {
  const { runId } = run;
  const [id, owner, plan] = [runIdOf(runId), `${runIdOf(runId)}#owner`, `${runIdOf(runId)}#process`];
  prov.agent[owner] = { "prov:type": name("prov:Person"), ...label(run.owner) };
  prov.agent[ENGINE] = { "prov:type": name("prov:SoftwareAgent"), "prov:label": "Weft" };
  prov.activity[id] = {
    ...times(run.startedMs, run.endedMs),
    ...label(run.name),
    "prov:type": name("weft:Run"),
    "weft:state": run.state,
    "weft:process": run.processId,
  };
  prov.entity[plan] = {
    "prov:type": name("prov:Plan"),
    ...label(run.processLabel ?? run.processId),
    ...(run.processVersion === null ? {} : { "weft:version": run.processVersion }),
    "weft:digest": run.processDigest,
  };
  addContent(prov, plan, run.processDigest.replace(/^sha256:/, ""));
  prov.wasAssociatedWith[`_:${runId}-engine`] = { "prov:activity": id, "prov:agent": ENGINE, "prov:plan": plan };
  prov.wasAssociatedWith[`_:${runId}-owner`] = { "prov:activity": id, "prov:agent": owner };
}

/** Contents with the same SHA-256 are one entity. */
function addContent(prov: ProvDocument, occurrence: string, sha256: string | null): void {
  if (sha256 === null || !/^[0-9a-f]{64}$/.test(sha256)) return;
  const content = `sha256:${Buffer.from(sha256, "hex").toString("base64url")}`;
  prov.entity[content] ??= { "prov:type": name("weft:Content"), "weft:sha256": sha256 };
  prov.specializationOf[`_:content-${occurrence}`] = {
    "prov:specificEntity": occurrence,
    "prov:generalEntity": content,
  };
}

/** Names the earlier job whose result a job reused. */
function resultOf({ cache }: JobRow): Record<string, ProvValue> {
  const { decision, job } = cache ?? {};
  return decision === "hit" && job !== undefined ? { "weft:resultOf": name(jobIdOf(job.run_id, job.job_id)) } : {};
}

function addJob(prov: ProvDocument, job: JobRow): void {
  const { runId } = job;
  const id = jobIdOf(runId, job.jobId);
  prov.activity[id] = {
    ...times(job.startedMs, job.endedMs),
    ...label(jobLabel(job)),
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
  prov.wasStartedBy[`_:${runId}-start-${job.jobId}`] = { "prov:activity": id, "prov:starter": runIdOf(runId) };
  prov.wasAssociatedWith[`_:${runId}-job-${job.jobId}`] = { "prov:activity": id, "prov:agent": ENGINE };
}

/** The job of a tool has no step. */
function jobLabel({ step, jobId, sampleId }: JobRow): string {
  const text = step === "" ? jobId : step;
  return sampleId === null ? text : `${text} (${sampleId})`;
}

interface FileOfRun {
  readonly file: FileRow;
  readonly runId: string;
}

function addFile(prov: ProvDocument, { file, runId }: FileOfRun, isWritten: (uri: string) => boolean): void {
  const entity = entityIdOf(runId, file.uri);
  prov.entity[entity] ??= {
    ...label(file.name),
    "prov:type": name(`weft:${file.class}`),
    "weft:location": file.uri,
    ...(file.checksum === null ? {} : { "weft:checksum": file.checksum }),
    ...(file.sha256 === null ? {} : { "weft:sha256": file.sha256 }),
    ...(file.size === null ? {} : { "weft:size": file.size }),
  };
  addContent(prov, entity, file.sha256);
  const link = {
    "prov:activity": file.jobId === null ? runIdOf(runId) : jobIdOf(runId, file.jobId),
    "prov:entity": entity,
    "prov:role": name(`weft:${file.port}`),
    ...(file.place === "" ? {} : { "weft:place": file.place }),
  };
  if (file.direction === "input") prov.used[`_:${runId}-used-${file.id}`] = link;
  else prov.wasGeneratedBy[`_:${runId}-made-${file.id}`] = link;
  if (file.sourceUri !== null && isWritten(file.sourceUri)) {
    prov.wasDerivedFrom[`_:${runId}-copy-${file.id}`] = {
      "prov:generatedEntity": entity,
      "prov:usedEntity": entityIdOf(runId, file.sourceUri),
    };
  }
}

function name(text: string): ProvValue {
  return { $: text, type: "prov:QUALIFIED_NAME" };
}

/** A label must not be empty. */
function label(text: string): Record<string, string> {
  return text === "" ? {} : { "prov:label": text };
}

function runIdOf(runId: string): string {
  return `run:${runId}`;
}

function jobIdOf(runId: string, jobId: string): string {
  return `run:${runId}#job/${jobId}`;
}

/**
 * One entity per location: a job's output that the next job reads is the same occurrence, even in another run. A file
 * from elsewhere may change between runs, so that each run has its own occurrence of it.
 */
function entityIdOf(runId: string, uri: string): string {
  const [, other, path] = /^weft-data:\/\/runs\/([0-9a-f-]{36})\/(.*)$/s.exec(uri) ?? [];
  if (other !== undefined) return `run:${other}#file/${path ?? ""}`;
  return `run:${runId}#data/${uri.replace(/^weft-data:\/\//, "")}`;
}

function times(startMs: number | null, endMs: number | null): Record<string, string> {
  return {
    ...(startMs === null ? {} : { "prov:startTime": timeText(startMs) }),
    ...(endMs === null ? {} : { "prov:endTime": timeText(endMs) }),
  };
}
