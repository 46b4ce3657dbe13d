import type { Link, Process, Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import { ref, refs } from "./crate-graph.ts";
import type { CrateEntity, CrateGraph } from "./crate-graph.ts";
import { WORKFLOW_PROFILE } from "./crate-profiles.ts";
import { describeParameter } from "./describe-parameter.ts";
import type { ProcessIds } from "./process-ids.ts";

export interface DocumentDescription {
  readonly graph: CrateGraph;
  readonly ids: ProcessIds;
  /** Ids of the processes that jobs executed: only these are applications that ran. */
  readonly executed: ReadonlySet<string>;
  /** Catalog name and version of a tool, if it has them. */
  readonly versionOf: (process: Process) => string | undefined;
  /** Facts about the document: its file's size, checksum and format. */
  readonly documentFacts: Readonly<Record<string, unknown>>;
}

const LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#cwl";

/** Describes a process and everything in it; the main process is the document's file. Returns its id. */
export function describeProcess(process: Process, description: DocumentDescription, isMain: boolean): string {
  const { graph, ids } = description;
  const id = ids.of(process);
  if (graph.has(id)) return id;
  return process.class === "Workflow"
    ? describeWorkflow(process, description, isMain)
    : describeTool(process, description);
}

/** The language of the document. */
export function describeLanguage(graph: CrateGraph, version: string): void {
  graph.add({
    "@id": LANGUAGE,
    "@type": "ComputerLanguage",
    name: "Common Workflow Language",
    alternateName: "CWL",
    identifier: ref(`https://w3id.org/cwl/${version}/`),
    url: ref("https://www.commonwl.org/"),
    version,
  });
}

function describeWorkflow(workflow: Workflow, description: DocumentDescription, isMain: boolean): string {
  const { graph, ids, documentFacts } = description;
  const id = ids.of(workflow);
  const types = ["SoftwareSourceCode", "ComputationalWorkflow", ...(workflow.steps.length > 0 ? ["HowTo"] : [])];
  graph.add({
    "@id": id,
    "@type": isMain ? ["File", ...types] : types,
    conformsTo: ref(WORKFLOW_PROFILE),
    ...namesOf(workflow),
    programmingLanguage: ref(LANGUAGE),
    ...(isMain ? documentFacts : {}),
    ...parametersOf(workflow, description),
    hasPart: refs(workflow.steps.map(({ run }) => ids.of(run))),
    step: refs(workflow.steps.map((step) => ids.step(workflow, step.id))),
    connection: refs(connectionsOf(workflow, description)),
  });
  workflow.steps.forEach((step, index) => {
    describeStep(workflow, { step, index }, description);
    describeProcess(step.run, description, false);
  });
  return id;
}

function describeTool(tool: Exclude<Process, Workflow>, description: DocumentDescription): string {
  const { graph, ids, executed, versionOf } = description;
  return graph.add({
    "@id": ids.of(tool),
    "@type": executed.has(ids.of(tool)) ? ["SoftwareApplication", "SoftwareSourceCode"] : "SoftwareSourceCode",
    ...namesOf(tool),
    programmingLanguage: ref(LANGUAGE),
    softwareVersion: versionOf(tool),
    ...parametersOf(tool, description),
  });
}

function namesOf({ name, label, doc }: Process): Pick<CrateEntity, string> {
  return {
    name: label ?? name,
    ...(label === undefined ? {} : { alternateName: name }),
    ...(doc === undefined ? {} : { description: doc }),
  };
}

function parametersOf(process: Process, { graph, ids }: DocumentDescription) {
  const all = (direction: "in" | "out", parameters: Process["inputs"] | Process["outputs"]) =>
    refs(
      parameters.map((parameter) =>
        graph.add(describeParameter(ids.parameter(process, direction, parameter.id), parameter)),
      ),
    );
  return { input: all("in", process.inputs), output: all("out", process.outputs) };
}

function describeStep(
  workflow: Workflow,
  { step, index }: { readonly step: WorkflowStep; readonly index: number },
  { graph, ids }: DocumentDescription,
): void {
  graph.add({
    "@id": ids.step(workflow, step.id),
    "@type": "HowToStep",
    name: step.label ?? step.id,
    position: String(index),
    workExample: ref(ids.of(step.run)),
    ...(step.doc === undefined ? {} : { description: step.doc }),
  });
}

/** Links between parameters: into steps and out of the workflow. */
function connectionsOf(workflow: Workflow, description: DocumentDescription): readonly string[] {
  const { ids } = description;
  const into = workflow.steps.flatMap((step) =>
    step.in
      // A step may have inputs that only its expressions read.
      .filter(({ id }) => step.run.inputs.some((input) => input.id === id))
      .flatMap((input) =>
        connect(workflow, { ...input, step: step.id }, ids.parameter(step.run, "in", input.id), description),
      ),
  );
  const outOf = workflow.outputs.flatMap(({ id, outputSource }) =>
    outputSource === undefined ? [] : connect(workflow, outputSource, ids.parameter(workflow, "out", id), description),
  );
  return [...into, ...outOf];
}

function connect(
  workflow: Workflow,
  { source, step }: Pick<Link, "source"> & { readonly step?: string },
  target: string,
  { graph, ids }: DocumentDescription,
): readonly string[] {
  return source.flatMap((name) => {
    const from = sourceParameter(workflow, name, ids);
    if (from === undefined) return [];
    const id = `#connection/${encodeURIComponent(from)}/${step ?? ""}/${encodeURIComponent(target)}`;
    return graph.addOnce({
      "@id": id,
      "@type": "ParameterConnection",
      sourceParameter: ref(from),
      targetParameter: ref(target),
    });
  });
}

/** `input` of the workflow, or `step/output`. */
function sourceParameter(workflow: Workflow, name: string, ids: ProcessIds): string | undefined {
  const slash = name.lastIndexOf("/");
  if (slash < 0) return ids.parameter(workflow, "in", name);
  const step = workflow.steps.find(({ id }) => id === name.slice(0, slash));
  return step === undefined ? undefined : ids.parameter(step.run, "out", name.slice(slash + 1));
}
