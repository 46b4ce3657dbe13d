import { countText } from "@weft/shared/text/count-text.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import { crateTime, idPart, ref, refs } from "./crate-graph.ts";
import { processAt, type CrateContext } from "./crate-source.ts";
import { describeJob, statusOf } from "./describe-job.ts";
import { describeValues } from "./describe-values.ts";

/**
 * The actions of a run: the run itself, each call of a nested network and each attempt of a job, with the steps that
 * they belong to and the engine that ran them. Returns the ids of all actions, the run's first.
 */
export async function describeRun(context: CrateContext): Promise<readonly string[]> {
  const { source } = context;
  const filesOf = Map.groupBy(source.files, ({ jobId }) => jobId ?? "");
  if (source.process.class !== "Workflow") {
    const actions = [...(await describeJobs(filesOf, context)).values()].flat();
    // The run of a single tool is its job, if there was one.
    return actions.length > 0 ? actions : [await describeRunAction(context)];
  }
  const run = await describeRunAction(context);
  const byStep = await describeJobs(filesOf, context);
  for (const call of networkCalls(source.jobs)) addTo(byStep, call.step, [await describeCall(call, filesOf, context)]);
  const all = [run, ...[...byStep.values()].flat()];
  const controls = [...byStep].map(([step, actions]) => describeControl(step, actions, context));
  // If no job ran, there is nothing to organize.
  if (controls.length === 0) return all;
  return [...all, ...controls, describeOrganization(run, controls, context)];
}

type FilesOfJobs = ReadonlyMap<string, readonly FileRow[]>;

/** The actions of every step, by its path. */
async function describeJobs(filesOf: FilesOfJobs, context: CrateContext): Promise<Map<string, string[]>> {
  const byStep = new Map<string, string[]>();
  for (const job of context.source.jobs) {
    const process = processAt(context.source.process, job.step);
    if (process === undefined) continue;
    const actions = await describeJob({ job, process, files: filesOf.get(job.jobId) ?? [] }, context);
    if (actions.length > 0) addTo(byStep, job.step, actions);
  }
  return byStep;
}

function addTo(byStep: Map<string, string[]>, step: string, actions: readonly string[]): void {
  const ofStep = byStep.get(step) ?? [];
  byStep.set(step, ofStep);
  ofStep.push(...actions);
}

async function describeRunAction(context: CrateContext): Promise<string> {
  const { graph, ids, person } = context;
  const { run, process, files, blob } = context.source;
  const describeSide = (direction: "in" | "out", digest: string | null) => {
    const side = direction === "in" ? "input" : "output";
    const values = digest === null ? {} : recordedValues(blob(digest));
    const rows = files.filter((file) => file.jobId === null && file.direction === side);
    return describeValues({ owner: run.runId, process, direction, values, rows }, context);
  };
  return graph.add({
    "@id": runActionId(run.runId),
    "@type": "CreateAction",
    name: `Run of ${run.name}`,
    description: `${run.kind === "network" ? "Network" : "Tool"} ${run.processId}${run.processVersion === null ? "" : ` ${run.processVersion}`}, run ${run.runId}`,
    instrument: ref(ids.of(process)),
    agent: ref(person),
    startTime: crateTime(run.startedMs ?? run.createdMs),
    endTime: crateTime(run.endedMs ?? run.updatedMs),
    object: refs(await describeSide("in", run.inputs)),
    result: refs(await describeSide("out", run.outputs)),
    ...statusOf(run.state, run.reason, null),
  });
}

export function runActionId(runId: string): string {
  return `#run/${runId}`;
}

/** One call of a nested network by a step: `outer[2]` or, for a cross product, `outer[2,0]`, with the jobs below it. */
interface NetworkCall {
  readonly id: string;
  readonly step: string;
  readonly jobs: readonly JobRow[];
}

function networkCalls(jobs: readonly JobRow[]): readonly NetworkCall[] {
  const calls = new Map<string, NetworkCall & { readonly jobs: JobRow[] }>();
  for (const job of jobs) {
    if (job.startedMs === null && job.attempts.length === 0) continue;
    const [parts, steps] = [job.callId.split("/"), job.step.split("/")];
    for (let depth = 1; depth < parts.length; depth += 1) {
      const id = parts.slice(0, depth).join("/");
      const call = calls.get(id) ?? { id, step: steps.slice(0, depth).join("/"), jobs: [] };
      calls.set(id, call);
      call.jobs.push(job);
    }
  }
  return [...calls.values()];
}

/** The log has no record of calls: a call begins and ends with its jobs, and data passed between them stays inside. */
async function describeCall(
  { id, step, jobs }: NetworkCall,
  filesOf: FilesOfJobs,
  { source, person, graph, ids, files }: CrateContext,
): Promise<string> {
  const process = processAt(source.process, step) ?? source.process;
  const rows = jobs.flatMap(({ jobId }) => filesOf.get(jobId) ?? []);
  const uris = (direction: FileRow["direction"]) =>
    new Set(rows.filter((row) => row.direction === direction).map(({ uri }) => uri));
  const [read, written] = [uris("input"), uris("output")];
  const idsOf = async (found: readonly FileRow[]) => {
    const entities: string[] = [];
    for (const row of found) entities.push(await files.add(row, undefined));
    return refs(entities);
  };
  const failed = jobs.find(({ state }) => state !== "COMPLETE");
  return graph.add({
    "@id": `#call/${idPart(id)}`,
    "@type": "CreateAction",
    name: id,
    description: `Call of the network ${process.label ?? process.name} by the step ${step}, ${countText(jobs.length, "job")}`,
    instrument: ref(ids.of(process)),
    agent: ref(person),
    startTime: crateTime(Math.min(...jobs.map(({ startedMs, queuedMs }) => startedMs ?? queuedMs))),
    endTime: crateTime(Math.max(...jobs.map(({ endedMs, queuedMs }) => endedMs ?? queuedMs))),
    object: await idsOf(rows.filter((row) => row.direction === "input" && !written.has(row.uri))),
    result: await idsOf(rows.filter((row) => row.direction === "output" && !read.has(row.uri))),
    ...(failed === undefined
      ? statusOf("COMPLETE", null, null)
      : statusOf(failed.state, failed.reason, failed.exitCode)),
  });
}

/** The execution of a step: a scatter is one control action with many actions. */
function describeControl(step: string, actions: readonly string[], { source, graph, ids }: CrateContext): string {
  const slash = step.lastIndexOf("/");
  const parent = processAt(source.process, slash < 0 ? "" : step.slice(0, slash)) ?? source.process;
  return graph.add({
    "@id": `#control/${idPart(step)}`,
    "@type": "ControlAction",
    name: `Step ${step}`,
    instrument: ref(ids.step(parent, step.slice(slash + 1))),
    object: refs(actions),
  });
}

/** Weft has no website; this identifier names it. */
const ENGINE_URL = "https://w3id.org/ro/terms/weft";

function describeOrganization(
  run: string,
  controls: readonly string[],
  { source: { run: ofRun }, person, engineVersion = "not recorded", graph }: CrateContext,
): string {
  const engine = graph.add({
    "@id": "#engine/weft",
    "@type": "SoftwareApplication",
    name: "Weft",
    description: "Workflow execution service that ran the network",
    url: ref(ENGINE_URL),
    version: engineVersion,
  });
  return graph.add({
    "@id": `#organization/${ofRun.runId}`,
    "@type": "OrganizeAction",
    name: `Weft drives ${ofRun.name}`,
    instrument: ref(engine),
    agent: ref(person),
    object: refs(controls),
    result: refs([run]),
    startTime: crateTime(ofRun.createdMs),
    endTime: crateTime(ofRun.endedMs ?? ofRun.updatedMs),
    ...statusOf(ofRun.state, ofRun.reason, null),
  });
}
