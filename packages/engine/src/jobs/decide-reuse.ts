import { mayBeReused } from "@weft/cwl/command/plan-limits.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { CwlObject, CwlValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { CacheDifference, JobTool } from "@weft/shared/records/job-record.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import type { Image } from "../container/container-engine.ts";
import type { EngineChoice } from "../container/containers.ts";
import { chooseContainer, recordChoice } from "./job-container.ts";
import type { JobMachine, RunDisk } from "./job-services.ts";
import type { BoundJob, JobReuse } from "./job.ts";
import { isRemote } from "../files/remote/remote-url.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { isFileOrDirectory } from "../values/map-files.ts";
import { restoreValues } from "../values/record-values.ts";
import type { JobPosition, ReusableJob } from "../journal/read-cache.ts";
import type { JobRow } from "../journal/rows.ts";
import { differenceText, explainMiss } from "./cache/explain-miss.ts";
import { FileContents, type FileContentsOptions } from "./cache/file-contents.ts";
import { containerPart, jobKey, withChecksums, type JobKey } from "./cache/job-key.ts";
import { fileName, valueDigest } from "./cache/value-digest.ts";
import { earlierOutputs } from "./cache/reuse-outputs.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { RunLog } from "../journal/run-log.ts";
import { errorText } from "../error-text.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";

/** Newer results hide older ones; a damaged one has usually been replaced. */
const TRIED = 8;

/** A call, and the name of its tool in records. */
export interface CalledTool {
  readonly call: Call;
  readonly tool: JobTool;
}

interface LookupOptions {
  readonly mode: CacheMode;
  readonly place: Pick<JobPosition, "kind" | "processId">;
  /** The owner whose results may be reused and mentioned; undefined: every owner. */
  readonly owner: string | undefined;
  /** Bounds for reading files. Default: none. */
  readonly bounds?: Pick<FileContentsOptions, "mayOpen" | "mayRead">;
  /** Fetches the image of a job, because its digest is unknown before. */
  readonly imageOf: (job: BoundJob, choice: EngineChoice) => Promise<Image>;
  readonly services: RunLog & RunDisk & JobMachine;
}

/** Earlier jobs with which those of one run are compared. */
export interface Lookup extends LookupOptions {
  readonly contents: FileContents;
  /** The contents of other runs' results, which the run itself may not read. */
  readonly earlierContents: FileContents;
}

export function openLookup(options: LookupOptions): Lookup {
  const { bounds, services } = options;
  const { files, reach, access, runsFolder } = services;
  const all = { files: onDisk(files, access.all.files), reach: access.all.reach };
  const contents = new FileContents({ files, reach, runsFolder, ...bounds });
  return { ...options, contents, earlierContents: new FileContents({ ...all, runsFolder, ...bounds }) };
}

/** The earlier job whose result can be reused. */
export interface ReuseFound {
  readonly reuse: JobReuse;
  readonly earlier: ReusableJob | undefined;
}

/** The reason why the job cannot reuse any result; undefined if it may. Does not search for earlier jobs. */
export function reuseIsOff({ process, requirements }: BoundJob, mode: CacheMode): JobReuse | undefined {
  if (mode === "off") return off("the run reuses no results (cache: off)");
  if (process.class !== "CommandLineTool") return off("expressions are always re-evaluated");
  if (requirements.get("InplaceUpdateRequirement")?.inplaceUpdate === true)
    return off("the tool changes its inputs in place (InplaceUpdateRequirement)");
  return undefined;
}

/** Looks for an earlier job whose result equals this one's, or says why there is none. Starts and writes nothing. */
export async function decideReuse(job: BoundJob, called: CalledTool, lookup: Lookup): Promise<ReuseFound> {
  if (!(await isAllowed(job))) return none(off("the tool disables reuse (WorkReuse: enableReuse is false)"));
  const { mode, owner, contents, earlierContents, services } = lookup;
  const key = await jobKey(job, contents, containerPart(await containerOf(job, lookup)));
  if (mode === "refresh") return none(miss(key, { reason: "the run reuses no results (cache: refresh)" }));
  let damage: Compared | undefined;
  for (const candidate of services.journal.read.reusableJobs(key.key, TRIED, owner)) {
    const found = await findDamage(candidate, services, earlierContents);
    if (found === undefined) return { reuse: hit(key, candidate.row), earlier: candidate };
    damage ??= damaged(candidate.row, found);
  }
  return none(miss(key, damage ?? compare(job, key, { ...lookup, ...called })));
}

async function containerOf(job: BoundJob, { imageOf, services }: Lookup): Promise<JobContainer | undefined> {
  const choice = await chooseContainer(job, services);
  return recordChoice(choice, choice?.engine === undefined ? undefined : await imageOf(job, choice));
}

async function isAllowed({ requirements, evaluator, inputs, resources }: BoundJob): Promise<boolean> {
  const runtime = { cores: Math.max(1, Math.ceil(resources.coresMin)), ram: resources.ramMin };
  return mayBeReused(requirements, { evaluator, context: { inputs, runtime } });
}

/** Explains a miss. */
interface Compared {
  readonly reason: string;
  readonly diff?: readonly CacheDifference[];
  readonly earlier?: JobRow | undefined;
}

function damaged(earlier: JobRow, { name, message }: { readonly name: string; readonly message: string }): Compared {
  return {
    reason: `an equal job has run, but ${message}`,
    diff: [{ component: "output", name, message }],
    earlier,
  };
}

function compare(job: BoundJob, key: JobKey, lookup: Lookup & CalledTool): Compared {
  const { tool, owner, services } = lookup;
  const place = { ...lookup.place, scatterIndex: lookup.call.scatterIndex };
  const { step, sampleId } = job;
  const earlier = services.journal.read.latestJob({ ...place, step, sampleId }, owner);
  if (earlier?.cache?.parts === undefined || (earlier.runId === job.runId && earlier.jobId === job.jobId))
    return { reason: `${step === "" ? "this tool" : "this step"}${ofSample(sampleId)} has not run before` };
  const inputs = withChecksums(job.inputs, key.checksums);
  const before = { parts: earlier.cache.parts, tool: earlier.tool, inputs: inputsOf(earlier, services) };
  const diff = explainMiss({ parts: key.parts, tool, inputs }, before);
  return { reason: diff.length === 0 ? endOf(earlier) : differenceText(diff), diff, earlier };
}

function ofSample(sampleId: string | undefined): string {
  return sampleId === undefined ? "" : ` for sample ${sampleId}`;
}

function inputsOf({ inputs }: JobRow, { journal, uris }: RunLog): CwlObject {
  return inputs === null ? {} : restoreValues(journal.read.blob(inputs), uris);
}

/** The reason why an equal job left no reusable result. */
function endOf({ state, cache }: JobRow): string {
  switch (state) {
    case "COMPLETE":
      return cache?.not_kept === undefined
        ? "an equal job has run, but its result was not kept"
        : `an equal job has run, but its result was not kept: ${cache.not_kept}`;
    case "EXECUTOR_ERROR":
    case "SYSTEM_ERROR":
      return "an equal job failed earlier";
    case "CANCELED":
    case "PREEMPTED":
      return "an equal job was aborted earlier";
    case "QUEUED":
    case "INITIALIZING":
    case "RUNNING":
    case "CANCELING":
      return "an equal job is still running in another run";
  }
}

function hit({ key, parts, checksums }: JobKey, { runId, jobId }: JobRow): JobReuse {
  const reason = `the result of job ${jobId} of run ${runId} is still valid`;
  const record = { decision: "hit", reason, diff: [], job: { run_id: runId, job_id: jobId }, key, parts } as const;
  return { record, key: { key, parts, checksums } };
}

function miss(key: JobKey, { reason, diff = [], earlier }: Compared): JobReuse {
  const job = earlier === undefined ? {} : { job: { run_id: earlier.runId, job_id: earlier.jobId } };
  const record: RecordedCache = { decision: "miss", reason, diff, ...job, key: key.key, parts: key.parts };
  return { record, key };
}

function off(reason: string): JobReuse {
  return { record: { decision: "off", reason, diff: [] } };
}

function none(reuse: JobReuse): ReuseFound {
  return { reuse, earlier: undefined };
}

/** A job that cannot be compared runs as if it were the first. */
export function incomparable(error: unknown): JobReuse {
  const message = error instanceof CwlFailure ? error.message : errorText(error);
  return { record: { decision: "miss", reason: `it could not be compared with earlier jobs: ${message}`, diff: [] } };
}

/** The earlier files were removed between the lookup and their reuse. */
export function removedMeanwhile({ record, key }: JobReuse): JobReuse {
  return {
    record: { ...record, decision: "miss", reason: "an equal job has run, but its outputs have been removed" },
    key,
  };
}

/**
 * Why the result of an earlier job cannot be reused: an output is missing or has changed. Compares every byte, except
 * in files not touched since they were last hashed.
 */
async function findDamage(
  { row, outputs }: ReusableJob,
  log: RunLog,
  contents: FileContents,
): Promise<{ readonly name: string; readonly message: string } | undefined> {
  for (const [name, value] of Object.entries(earlierOutputs(row, log))) {
    const state = await stateOfOutput(value, outputs[name], contents);
    if (state !== undefined) return { name, message: `its output ${described(name, value)} ${state}` };
  }
  return undefined;
}

async function stateOfOutput(value: CwlValue, expected: string | undefined, contents: FileContents) {
  const reading = {
    // A URL below a data folder that is no longer configured leads nowhere.
    checksumOf: async ({ location }: FileValue & { readonly location: string }) =>
      location.startsWith("file:") || isRemote(location) ? contents.checksum(location) : "unknown",
    folder: async (uri: string) => (uri.startsWith("file:") ? contents.folder(uri) : "unknown"),
  };
  const digest = await valueDigest(value, reading).catch(undefinedIfMissing);
  if (digest === undefined) return "no longer exists on disk";
  return digest === expected ? undefined : "has changed on disk";
}

function described(name: string, value: CwlValue): string {
  return isFileOrDirectory(value) ? `${name} (${fileName(value)})` : name;
}

/** Combines the remote files of a run with another view of this machine's disk. */
function onDisk(files: FileAccess, disk: FileAccess): FileAccess {
  const over = (uri: string) => (isRemote(uri) ? files : disk);
  return {
    isRemote: (uri) => files.isRemote?.(uri) ?? false,
    stat: (uri) => over(uri).stat(uri),
    list: (uri) => over(uri).list(uri),
    readText: (uri, maxBytes) => over(uri).readText(uri, maxBytes),
    checksum: (uri) => over(uri).checksum(uri),
    realUri: (uri) => over(uri).realUri(uri),
  };
}
