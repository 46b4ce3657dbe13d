import {
  lastPart,
  referencesOf,
  textOf,
  timeOf,
  unreadable,
  type ForeignEntity,
  type ForeignGraph,
} from "./foreign-graph.ts";

/** One execution of a tool in a crate. */
export interface ForeignJob {
  readonly action: ForeignEntity;
  readonly tool: ForeignEntity | undefined;
  /** Name of the step, unique and usable as an id; jobs of one step share it. */
  readonly step: string;
  readonly isStepKnown: boolean;
}

/** A run that another engine made, as its crate describes it. */
export interface ForeignRun {
  readonly graph: ForeignGraph;
  readonly name: string;
  /** The workflow, or the tool of a crate without one. */
  readonly main: ForeignEntity;
  readonly isNetwork: boolean;
  readonly isCwl: boolean;
  readonly language: string | undefined;
  readonly engine: string | undefined;
  readonly profiles: readonly string[];
  readonly action: ForeignEntity;
  readonly agent: string | undefined;
  readonly jobs: readonly ForeignJob[];
  /** Other contents of the crate, which are not imported, in sentences. */
  readonly left: readonly string[];
}

const MAX_JOBS = 20_000;
const ACTIONS = ["CreateAction", "ActivateAction", "UpdateAction"];

/** Finds the run in the metadata of a crate. Refuses `invalid-crate` if there is no run. */
export function readForeignRun(graph: ForeignGraph): ForeignRun {
  const root = rootOf(graph);
  const actions = graph.ofType(...ACTIONS);
  const workflow = graph.entity(referencesOf(root, "mainEntity")[0]);
  const found =
    workflow === undefined ? actions : actions.filter((action) => instrumentsOf(action).includes(workflow.id));
  const [action, ...others] = runFirst(graph, found);
  if (action === undefined)
    throw unreadable("it describes no run (no CreateAction has its workflow as the instrument)");
  if (workflow === undefined && others.length > 0)
    throw unreadable(`it describes ${actions.length} actions, but no workflow of which they are the run`);
  const main = workflow ?? graph.entity(instrumentsOf(action)[0]);
  if (main === undefined) throw unreadable("the tool of its run is not described");
  const jobs = workflow === undefined ? [] : jobsOf(graph, actions, new Set(found));
  if (jobs.length > MAX_JOBS) throw unreadable(`its run has more than ${MAX_JOBS} jobs`);
  const language = languageOf(graph, main);
  return {
    graph,
    name: textOf(action, "name") ?? textOf(root, "name") ?? textOf(main, "name") ?? lastPart(main.id),
    main,
    isNetwork: workflow !== undefined,
    isCwl:
      /common workflow language|\bcwl\b/i.test(`${language?.id ?? ""} ${textOf(language, "name") ?? ""}`) ||
      /\.cwl(#|$)/.test(main.id),
    language: textOf(language, "name") ?? language?.id,
    engine: engineOf(graph, action),
    profiles: referencesOf(root, "conformsTo"),
    action,
    agent: textOf(graph.entity(referencesOf(action, "agent")[0]), "name"),
    jobs,
    left:
      others.length === 0
        ? []
        : [`The crate describes ${others.length} more runs of the workflow; only one is imported.`],
  };
}

function rootOf(graph: ForeignGraph): ForeignEntity {
  const descriptor = graph.entity("ro-crate-metadata.json") ?? graph.entity("ro-crate-metadata.jsonld");
  const root = graph.entity(referencesOf(descriptor, "about")[0] ?? "./");
  if (root === undefined) throw unreadable("its metadata has no root entity");
  return root;
}

function instrumentsOf(action: ForeignEntity): readonly string[] {
  return referencesOf(action, "instrument");
}

/** Sorts actions so that the run which the engine organized comes first. */
function runFirst(graph: ForeignGraph, found: readonly ForeignEntity[]): readonly ForeignEntity[] {
  const organized = new Set(graph.ofType("OrganizeAction").flatMap((action) => referencesOf(action, "result")));
  return [...found].sort((a, b) => Number(organized.has(b.id)) - Number(organized.has(a.id)));
}

function languageOf(graph: ForeignGraph, main: ForeignEntity): ForeignEntity | undefined {
  const [id] = referencesOf(main, "programmingLanguage");
  return id === undefined ? undefined : (graph.entity(id) ?? { id, types: new Set(), properties: {} });
}

function engineOf(graph: ForeignGraph, run: ForeignEntity): string | undefined {
  const organizer = graph.ofType("OrganizeAction").find((action) => referencesOf(action, "result").includes(run.id));
  const engine = graph.entity(referencesOf(organizer, "instrument")[0]);
  const name = textOf(engine, "name");
  const version = textOf(engine, "softwareVersion") ?? textOf(engine, "version");
  return name === undefined || version === undefined || name.includes(version) ? name : `${name} ${version}`;
}

/** Calls of nested workflows are not jobs; the actions of their tools describe them. */
function jobsOf(
  graph: ForeignGraph,
  actions: readonly ForeignEntity[],
  runs: ReadonlySet<ForeignEntity>,
): readonly ForeignJob[] {
  const steps = stepsOf(graph);
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  return actions.flatMap((action) => {
    const tool = graph.entity(instrumentsOf(action)[0]);
    if (runs.has(action) || tool?.types.has("ComputationalWorkflow") === true) return [];
    const step = steps.get(action.id);
    const key = step ?? tool?.id ?? action.id;
    const name = names.get(key) ?? freeName(stepName(graph, step, tool), taken);
    names.set(key, name);
    return [{ action, tool, step: name, isStepKnown: step !== undefined }];
  });
}

/** Id of the step of each action that a control action names. */
function stepsOf(graph: ForeignGraph): ReadonlyMap<string, string> {
  const steps = new Map<string, string>();
  for (const control of graph.ofType("ControlAction")) {
    const [step] = referencesOf(control, "instrument");
    for (const action of step === undefined ? [] : referencesOf(control, "object")) steps.set(action, step ?? "");
  }
  return steps;
}

/** In CWL, the id of a step ends with its name; elsewhere ids are often arbitrary. */
function stepName(graph: ForeignGraph, step: string | undefined, tool: ForeignEntity | undefined): string {
  const part = step === undefined ? undefined : lastPart(step);
  const isArbitrary = part === undefined || /^[\d-]*$|^[0-9a-f]{8}-?[0-9a-f-]{23,}/i.test(part);
  if (!isArbitrary) return part;
  return textOf(graph.entity(step), "name") ?? textOf(tool, "name") ?? (tool === undefined ? "job" : lastPart(tool.id));
}

/** Returns a unique name. `taken`: names in use, each with its last number. */
function freeName(preferred: string, taken: Map<string, number>): string {
  const base =
    preferred
      .replace(/[^A-Za-z0-9_.-]+/g, "_")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 100) || "step";
  let number = taken.get(base) ?? 0;
  let name = base;
  while (taken.has(name)) name = `${base}_${(number += 1) + 1}`;
  taken.set(base, number);
  taken.set(name, taken.get(name) ?? 0);
  return name;
}

/** The start and end of an action in milliseconds since 1970; undefined if they are missing. */
export function timesOf(action: ForeignEntity): {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
} {
  return { startMs: timeOf(action, "startTime"), endMs: timeOf(action, "endTime") };
}

/** True if the action succeeded; undefined without a status, for which the profile lets readers assume success. */
export function hasSucceeded(action: ForeignEntity): boolean | undefined {
  const status = referencesOf(action, "actionStatus")[0] ?? textOf(action, "actionStatus");
  if (status === undefined) return undefined;
  return !status.endsWith("FailedActionStatus");
}
