import type { EventData } from "@weft/shared/events/event.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import { textDigest } from "../../../files/hash-file.ts";
import type { Blob } from "../../../journal/journal-event.ts";
import type { FoldedEvent } from "../../../journal/project-import.ts";
import { foreignDocument, type PortNames } from "./foreign-document.ts";
import { lastPart, referencesOf, textOf, timeOf, type ForeignEntity } from "./foreign-graph.ts";
import { hasSucceeded, timesOf, type ForeignJob, type ForeignRun } from "./foreign-run.ts";
import type { ForeignSide, ForeignValues } from "./foreign-values.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";

export interface ForeignEvents {
  readonly events: readonly FoldedEvent[];
  readonly blobs: readonly Blob[];
  readonly document: string;
  /** Facts that the crate lacks, in sentences. */
  readonly missing: readonly string[];
}

export interface ForeignImport {
  readonly runId: string;
  readonly principal: string;
  readonly values: ForeignValues;
  /** Used if the crate has no time at all. */
  readonly nowMs: number;
}

interface Sides {
  readonly inputs: ForeignSide;
  readonly outputs: ForeignSide;
}

/** A foreign run as the events that a run of this server would have. Facts that the crate lacks are listed. */
export function foreignEvents(run: ForeignRun, foreignImport: ForeignImport): ForeignEvents {
  const { values } = foreignImport;
  const recorder = new Recorder(foreignImport);
  const ofRun = sidesOf(run.action, run.main, values);
  const jobs = run.jobs.map((job, n) => ({ ...job, n, sides: sidesOf(job.action, job.tool, values) }));
  const steps = new Map([...Map.groupBy(jobs, ({ step }) => step)].map(([step, ofStep]) => [step, portNames(ofStep)]));
  const document = recorder.keep(foreignDocument(run, portNames([{ sides: ofRun }]), steps));
  const times = timesOfRun(run, foreignImport.nowMs);
  const numbers = new JobNumbers(run.jobs);
  const events = [
    ...beginning(run, { document, sides: ofRun, timeMs: times.startMs }, recorder),
    ...jobs.flatMap((job) => jobEvents(job, { ...numbers.next(job.step), times }, recorder)),
    ending(run, { sides: ofRun, timeMs: times.endMs }, recorder),
  ];
  return { events, blobs: recorder.blobs, document, missing: missingFrom(run, values) };
}

class Recorder {
  readonly ofRun: { readonly run_id: string; readonly actor: string };
  readonly #blobs = new Map<string, Blob>();

  constructor({ runId, principal }: ForeignImport) {
    this.ofRun = { run_id: runId, actor: principal };
  }

  get blobs(): readonly Blob[] {
    return [...this.#blobs.values()];
  }

  /** Returns the digest. */
  keep(value: CwlObject | string): string {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const digest = textDigest(text);
    this.#blobs.set(digest, { digest, text });
    return digest;
  }
}

interface SideOfRun {
  readonly sides: Sides;
  readonly timeMs: number;
}

function beginning(
  run: ForeignRun,
  { document, sides, timeMs }: SideOfRun & { readonly document: string },
  recorder: Recorder,
): readonly FoldedEvent[] {
  const { run_id: runId } = recorder.ofRun;
  const created: EventData<"run.created"> = {
    kind: run.isNetwork ? "network" : "tool",
    process_id: processName(run.main),
    process_version: textOf(run.main, "version") ?? null,
    process_digest: "",
    ...labelOf(run.main),
    name: run.name.slice(0, 200),
    tags: {},
    options: {},
    document,
    document_uri: `weft-data://runs/${runId}/document/foreign.cwl`,
    inputs: recorder.keep(sides.inputs.values),
    samples: {},
    steps: stepsOf(run),
  };
  const { ofRun } = recorder;
  return [
    { time_ms: timeMs, event: { ...ofRun, type: "run.created", data: created } },
    { time_ms: timeMs, event: { ...ofRun, type: "run.started", data: {} } },
    { time_ms: timeMs, event: { ...ofRun, type: "run.inputs", data: { files: sides.inputs.files } } },
  ];
}

function ending({ action }: ForeignRun, { sides, timeMs }: SideOfRun, recorder: Recorder): FoldedEvent {
  const isFailed = hasSucceeded(action) === false;
  const data: EventData<"run.ended"> = {
    state: isFailed ? "EXECUTOR_ERROR" : "COMPLETE",
    outcome: isFailed ? "failure" : "success",
    reason: isFailed ? reasonOf(action) : null,
    outputs: recorder.keep(sides.outputs.values),
    files: sides.outputs.files,
  };
  return { time_ms: timeMs, event: { ...recorder.ofRun, type: "run.ended", data } };
}

interface JobPlace extends JobNumber {
  readonly times: Span;
}

function jobEvents(
  { n, sides, ...job }: ForeignJob & { readonly n: number; readonly sides: Sides },
  { jobId, callId, index, times }: JobPlace,
  recorder: Recorder,
): readonly FoldedEvent[] {
  const { startMs, endMs } = within(timesOf(job.action), times);
  const ofJob = { ...recorder.ofRun, job_id: jobId, step: job.step } as const;
  const queued = { call_id: callId, n, scatter_index: [...index], tool: toolOf(job) };
  const started = {
    attempt: 1,
    command: null,
    cores: 0,
    ram_bytes: 0,
    backend: "foreign",
    inputs: recorder.keep(sides.inputs.values),
    files: sides.inputs.files,
  };
  return [
    { time_ms: startMs, event: { ...ofJob, type: "job.queued", data: queued } },
    { time_ms: startMs, event: { ...ofJob, type: "job.started", data: started } },
    { time_ms: endMs, event: { ...ofJob, type: "job.ended", data: jobEnd(job.action, sides.outputs, recorder) } },
  ];
}

function jobEnd(action: ForeignEntity, { values, files }: ForeignSide, recorder: Recorder): EventData<"job.ended"> {
  const isFailed = hasSucceeded(action) === false;
  return {
    state: isFailed ? "EXECUTOR_ERROR" : "COMPLETE",
    reason: isFailed ? reasonOf(action) : null,
    exit_code: null,
    signal: null,
    cpu_ms: null,
    max_rss_bytes: null,
    outputs: recorder.keep(values),
    files,
  };
}

function sidesOf(action: ForeignEntity, tool: ForeignEntity | undefined, values: ForeignValues): Sides {
  return {
    inputs: values.side(action, "object", new Set(referencesOf(tool, "input"))),
    outputs: values.side(action, "result", new Set(referencesOf(tool, "output"))),
  };
}

function portNames(actions: readonly { readonly sides: Sides }[]): PortNames {
  const names = (side: keyof Sides) => new Set(actions.flatMap(({ sides }) => Object.keys(sides[side].values)));
  return { inputs: names("inputs"), outputs: names("outputs") };
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

function timesOfRun({ action, jobs, graph }: ForeignRun, nowMs: number): Span {
  const { startMs, endMs } = timesOf(action);
  const known = jobs.flatMap((job) => Object.values(timesOf(job.action))).filter((time) => time !== undefined);
  const published = timeOf(graph.entity("./"), "datePublished");
  const [first, last] = known.reduce<readonly [number | undefined, number | undefined]>(
    ([low, high], time) => [Math.min(low ?? time, time), Math.max(high ?? time, time)],
    [undefined, undefined],
  );
  const start = startMs ?? first ?? endMs ?? published ?? nowMs;
  return { startMs: start, endMs: Math.max(start, endMs ?? last ?? start) };
}

function within({ startMs, endMs }: ReturnType<typeof timesOf>, run: Span): Span {
  const start = startMs ?? endMs ?? run.startMs;
  return { startMs: start, endMs: Math.max(start, endMs ?? start) };
}

function labelOf(entity: ForeignEntity): { readonly process_label?: string } {
  const label = textOf(entity, "name");
  return label === undefined ? {} : { process_label: label };
}

function processName({ id }: ForeignEntity): string {
  const name = lastPart(id.replace(/#.*$/s, ""))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-");
  return name.replace(/^[^a-z0-9]+/, "").slice(0, 100) || "foreign";
}

function stepsOf({ jobs }: ForeignRun): EventData<"run.created">["steps"] {
  return [...Map.groupBy(jobs, ({ step }) => step)].map(([step, ofStep]) => ({
    step,
    jobs_total: ofStep.length,
    jobs_total_is_final: true,
  }));
}

function toolOf({ tool }: ForeignJob): EventData<"job.queued">["tool"] {
  const label = textOf(tool, "name");
  const version = textOf(tool, "softwareVersion") ?? textOf(tool, "version") ?? null;
  return { id: null, version, class: "Operation", ...(label === undefined ? {} : { label }) };
}

function reasonOf(action: ForeignEntity): StateReason {
  return { code: "TOOL_EXIT", message: textOf(action, "error") ?? "The crate says that it failed, but not why." };
}

interface JobNumber {
  readonly jobId: string;
  readonly callId: string;
  readonly index: readonly number[];
}

/** Jobs of one step are numbered in the order of the crate. */
class JobNumbers {
  readonly #counts: ReadonlyMap<string, number>;
  readonly #given = new Map<string, number>();
  readonly #ids = new Set<string>();

  constructor(jobs: readonly ForeignJob[]) {
    this.#counts = new Map([...Map.groupBy(jobs, ({ step }) => step)].map(([step, { length }]) => [step, length]));
  }

  next(step: string): JobNumber {
    const number = this.#given.get(step) ?? 0;
    this.#given.set(step, number + 1);
    const isOne = this.#counts.get(step) === 1;
    let jobId = isOne ? step : `${step}-${number}`;
    while (this.#ids.has(jobId)) jobId += "_";
    this.#ids.add(jobId);
    return { jobId, callId: isOne ? step : `${step}[${number}]`, index: isOne ? [] : [number] };
  }
}

function missingFrom(
  { action, jobs, agent, engine, left, isNetwork }: ForeignRun,
  values: ForeignValues,
): readonly string[] {
  const { startMs, endMs } = timesOf(action);
  const untimed = jobs.filter((job) => Object.values(timesOf(job.action)).includes(undefined)).length;
  const unplaced = jobs.filter(({ isStepKnown }) => !isStepKnown).length;
  const silent = jobs.filter((job) => hasSucceeded(job.action) === undefined).length;
  const facts: readonly (readonly [boolean, string])[] = [
    [startMs === undefined, "The crate does not say when the run started."],
    [endMs === undefined, "The crate does not say when the run finished."],
    [
      hasSucceeded(action) === undefined,
      "The crate does not say whether the run succeeded; its profile lets readers assume so.",
    ],
    [agent === undefined, "The crate does not say who ran it."],
    [engine === undefined, "The crate does not say which engine ran it."],
    [isNetwork && jobs.length === 0, "The crate describes no steps, only the inputs and outputs of the run."],
    [untimed > 0, `The start or end of ${untimed} of ${jobs.length} jobs is missing.`],
    [
      silent > 0,
      `The crate does not say whether ${silent} of ${jobs.length} jobs succeeded; its profile lets readers assume so.`,
    ],
    [unplaced > 0, `The crate does not say to which step ${unplaced} of ${jobs.length} jobs belong.`],
    [values.absent > 0, `The crate does not contain ${values.absent} files and folders that it names.`],
    [values.unassigned > 0, `The crate does not say which input or output ${values.unassigned} values are.`],
  ];
  return [...left, ...facts.filter(([isMissing]) => isMissing).map(([, sentence]) => sentence)];
}
