import { countText } from "@weft/shared/text/count-text.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import { crateTime, idPart, ref, refs } from "./crate-graph.ts";
import { processAt } from "./crate-source.ts";
import type { CrateSource } from "./crate-source.ts";
import { describeJob, statusOf } from "./describe-job.ts";
import { describeValues } from "./describe-values.ts";
import type { ValueSurroundings } from "./describe-values.ts";

/** The people and software behind a run. */
export interface RunAgents {
  /** Id of the person. */
  readonly person: string;
  /** The version of Weft that ran it; undefined if the log does not record it. */
  readonly engineVersion: string | undefined;
}

/**
 * The actions of a run: the run itself, each call of a nested network and each attempt of a job, with the steps that
 * they belong to and the engine that ran them. Returns the ids of all actions, the run's first.
 */
export async function describeRun(
  source: CrateSource,
  agents: RunAgents,
  surroundings: ValueSurroundings,
): Promise<readonly string[]> {
  const filesOf = Map.groupBy(source.files, ({ jobId }) => jobId ?? "");
  if (source.process.class !== "Workflow") {
    const actions = [...(await describeJobs(source, { agents, filesOf }, surroundings)).values()].flat();
    // The run of a single tool is its job, if there was one.
    return actions.length > 0 ? actions : [await describeRunAction(source, agents, surroundings)];
  }
  const run = await describeRunAction(source, agents, surroundings);
  const byStep = await describeJobs(source, { agents, filesOf }, surroundings);
  for (const call of networkCalls(source.jobs)) {
    const action = await describeCall(call, { source, agents, filesOf }, surroundings);
    const ofStep = byStep.get(call.step);
    if (ofStep === undefined) byStep.set(call.step, [action]);
    else ofStep.push(action);
  }
  const all = [run, ...[...byStep.values()].flat()];
  const controls = [...byStep].map(([step, actions]) => describeControl(step, actions, { source, surroundings }));
  // If no job ran, there is nothing to organize.
  if (controls.length === 0) return all;
  return [...all, ...controls, describeOrganization(run, controls, { agents, surroundings, source })];
}

/** The actions of every step, by its path. */
async function describeJobs(
  source: CrateSource,
  { agents, filesOf }: Omit<CallSurroundings, "source">,
  surroundings: ValueSurroundings,
): Promise<Map<string, string[]>> {
  const byStep = new Map<string, string[]>();
  for (const job of source.jobs) {
    const process = processAt(source.process, job.step);
    if (process === undefined) continue;
    const files = filesOf.get(job.jobId) ?? [];
    const described = { job, process, files, blob: source.blob, agent: agents.person };
    const actions = await describeJob(described, surroundings);
    const ofStep = byStep.get(job.step);
    if (ofStep !== undefined) ofStep.push(...actions);
    else if (actions.length > 0) byStep.set(job.step, [...actions]);
  }
  return byStep;
}

async function describeRunAction(
  { run, process, files, blob }: CrateSource,
  { person }: RunAgents,
  surroundings: ValueSurroundings,
): Promise<string> {
  const values = (digest: string | null) => (digest === null ? {} : recordedValues(blob(digest)));
  const ofRun = (direction: FileRow["direction"]) =>
    files.filter((file) => file.jobId === null && file.direction === direction);
  const { runId: owner } = run;
  const shared = { owner, process };
  const inputs = { ...shared, direction: "in" as const, values: values(run.inputs), rows: ofRun("input") };
  const outputs = { ...shared, direction: "out" as const, values: values(run.outputs), rows: ofRun("output") };
  const { graph, ids } = surroundings;
  return graph.add({
    "@id": runActionId(run.runId),
    "@type": "CreateAction",
    name: `Run of ${run.name}`,
    description: `${run.kind === "network" ? "Network" : "Tool"} ${run.processId}${run.processVersion === null ? "" : ` ${run.processVersion}`}, run ${run.runId}`,
    instrument: ref(ids.of(process)),
    agent: ref(person),
    startTime: crateTime(run.startedMs ?? run.createdMs),
    endTime: crateTime(run.endedMs ?? run.updatedMs),
    object: refs(await describeValues(inputs, surroundings)),
    result: refs(await describeValues(outputs, surroundings)),
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

interface CallSurroundings {
  readonly source: CrateSource;
  readonly agents: RunAgents;
  readonly filesOf: ReadonlyMap<string, readonly FileRow[]>;
}

/** The log has no record of calls: a call begins and ends with its jobs, and data passed between them stays inside. */
async function describeCall(
  { id, step, jobs }: NetworkCall,
  { source, agents, filesOf }: CallSurroundings,
  { graph, ids, files }: ValueSurroundings,
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
    agent: ref(agents.person),
    startTime: crateTime(Math.min(...jobs.map(({ startedMs, queuedMs }) => startedMs ?? queuedMs))),
    endTime: crateTime(Math.max(...jobs.map(({ endedMs, queuedMs }) => endedMs ?? queuedMs))),
    object: await idsOf(rows.filter((row) => row.direction === "input" && !written.has(row.uri))),
    result: await idsOf(rows.filter((row) => row.direction === "output" && !read.has(row.uri))),
    ...(failed === undefined
      ? statusOf("COMPLETE", null, null)
      : statusOf(failed.state, failed.reason, failed.exitCode)),
  });
}

interface ControlSurroundings {
  readonly source: CrateSource;
  readonly surroundings: ValueSurroundings;
}

/** The execution of a step: a scatter is one control action with many actions. */
function describeControl(
  step: string,
  actions: readonly string[],
  { source, surroundings: { graph, ids } }: ControlSurroundings,
): string {
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
  { agents, surroundings: { graph }, source }: ControlSurroundings & { readonly agents: RunAgents },
): string {
  const { person, engineVersion = "not recorded" } = agents;
  const engine = graph.add({
    "@id": "#engine/weft",
    "@type": "SoftwareApplication",
    name: "Weft",
    description: "Workflow execution service that ran the network",
    url: ref(ENGINE_URL),
    version: engineVersion,
  });
  return graph.add({
    "@id": `#organization/${source.run.runId}`,
    "@type": "OrganizeAction",
    name: `Weft drives ${source.run.name}`,
    instrument: ref(engine),
    agent: ref(person),
    object: refs(controls),
    result: refs([run]),
    startTime: crateTime(source.run.createdMs),
    endTime: crateTime(source.run.endedMs ?? source.run.updatedMs),
    ...statusOf(source.run.state, source.run.reason, null),
  });
}
