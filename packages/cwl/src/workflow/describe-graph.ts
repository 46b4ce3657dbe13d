import { typeText } from "../model/type-text.ts";
import {
  sourceStep,
  type InputParameter,
  type Link,
  type OutputParameter,
  type Process,
  type Workflow,
  type WorkflowStep,
} from "../model/process.ts";

/** A workflow as boxes and arrows, without a layout; the field names are those of the API. */
export interface NetworkGraph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
}

export interface GraphNode {
  /** Unique in its graph: `input:reads`, `step:align`, `output:bam`. */
  readonly id: string;
  readonly kind: "input" | "step" | "output";
  readonly label: string;
  /** The type of an input or output in one line. */
  readonly type_text?: string;
  /** The path of a step as jobs carry it, `outer/inner`. */
  readonly step?: string;
  /** The process of a step. */
  readonly class?: Process["class"];
  /** The label of the process that a step runs, which several steps may share. */
  readonly process_label?: string;
  readonly scatter?: boolean;
  /** True for a step that may be skipped. */
  readonly conditional?: true;
  /** True for a step that loops. */
  readonly loop?: true;
  /** The graph of the workflow that a step runs. */
  readonly graph?: NetworkGraph;
}

/** A link; ports are names of inputs and outputs. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly from_port: string;
  readonly to_port: string;
  /** The type of the value in one line; absent if the source is not declared. */
  readonly type_text?: string;
}

/** The graph of a workflow; the graphs of nested workflows are inside their steps. */
export function describeGraph(workflow: Workflow): NetworkGraph {
  return graphBelow(workflow, "");
}

function graphBelow(workflow: Workflow, prefix: string): NetworkGraph {
  const { inputs, steps, outputs } = workflow;
  return {
    nodes: [
      ...inputs.map((input) => parameterNode("input", input)),
      ...steps.map((step) => stepNode(step, prefix)),
      ...outputs.map((output) => parameterNode("output", output)),
    ],
    edges: [
      ...steps.flatMap((step) => stepEdges(step, workflow)),
      ...outputs.flatMap((output) => outputEdges(output, workflow)),
    ],
  };
}

function parameterNode(kind: "input" | "output", { id, label, type }: InputParameter | OutputParameter): GraphNode {
  return { id: `${kind}:${id}`, kind, label: label ?? id, type_text: typeText(type) };
}

function stepNode({ id, label, run, scatter, when, loop }: WorkflowStep, prefix: string): GraphNode {
  const path = prefix + id;
  return {
    id: `step:${id}`,
    kind: "step",
    label: label ?? id,
    step: path,
    class: run.class,
    ...(run.label === undefined ? {} : { process_label: run.label }),
    scatter: scatter.length > 0,
    ...(when === undefined ? {} : { conditional: true }),
    ...(loop === undefined ? {} : { loop: true }),
    ...(run.class === "Workflow" ? { graph: graphBelow(run, `${path}/`) } : {}),
  };
}

function stepEdges({ id, in: inputs }: WorkflowStep, workflow: Workflow): GraphEdge[] {
  return inputs.flatMap((input) => edgesTo(input, { to: `step:${id}`, to_port: input.id }, workflow));
}

function outputEdges({ id, outputSource }: OutputParameter, workflow: Workflow): GraphEdge[] {
  return outputSource === undefined ? [] : edgesTo(outputSource, { to: `output:${id}`, to_port: id }, workflow);
}

function edgesTo({ source }: Link, to: Pick<GraphEdge, "to" | "to_port">, workflow: Workflow): GraphEdge[] {
  return source.map((name) => {
    const type = sourceType(name, workflow);
    return { ...sourcePort(name), ...to, ...(type === undefined ? {} : { type_text: type }) };
  });
}

function sourcePort(source: string): Pick<GraphEdge, "from" | "from_port"> {
  const step = sourceStep(source);
  if (step === undefined) return { from: `input:${source}`, from_port: source };
  return { from: `step:${step}`, from_port: source.slice(step.length + 1) };
}

/** A scattered step yields a list of its process's outputs; a nested crossproduct yields one level of lists per axis. */
function sourceType(source: string, workflow: Workflow): string | undefined {
  const stepId = sourceStep(source);
  if (stepId === undefined) return parameterType(workflow.inputs, source);
  const step = workflow.steps.find(({ id }) => id === stepId);
  const type = step === undefined ? undefined : parameterType(step.run.outputs, source.slice(stepId.length + 1));
  if (step === undefined || type === undefined || step.scatter.length === 0) return type;
  const depth = step.scatterMethod === "nested_crossproduct" ? step.scatter.length : 1;
  return (type.includes(" ") || type.endsWith("?") ? `(${type})` : type) + "[]".repeat(depth);
}

function parameterType(parameters: readonly (InputParameter | OutputParameter)[], id: string): string | undefined {
  const parameter = parameters.find((candidate) => candidate.id === id);
  return parameter === undefined ? undefined : typeText(parameter.type);
}
