import { collectSources } from "@weft/cwl/links/link-source.ts";
import { needsValue } from "@weft/cwl/model/assignability.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";

/** A port in a drawing. */
export interface DrawnPort {
  readonly name: string;
  readonly typeText: string;
  readonly isConnected: boolean;
  /** True if the port needs a value and has none. */
  readonly isMissing: boolean;
}

/** Details of a step in a drawing, in addition to its name. */
export interface NodePorts {
  readonly inputs: readonly DrawnPort[];
  readonly outputs: readonly DrawnPort[];
  /** The note about the step, in its `doc`. */
  readonly note: string | undefined;
}

/** The ports of all steps of a network, by the path of the step. */
export function portsOfSteps(workflow: Workflow): { readonly [path: string]: NodePorts } {
  const used = new Set([
    ...workflow.steps.flatMap((step) => step.in.flatMap(({ source }) => source)),
    ...workflow.outputs.flatMap(({ outputSource }) => outputSource?.source ?? []),
  ]);
  return Object.fromEntries(workflow.steps.map((step) => [step.id, portsOfStep(step, used)]));
}

function portsOfStep(step: WorkflowStep, used: ReadonlySet<string>): NodePorts {
  return {
    note: step.doc,
    inputs: step.run.inputs.map((parameter) => {
      const link = step.in.find(({ id }) => id === parameter.id);
      const isConnected = (link?.source.length ?? 0) > 0;
      const isGiven = isConnected || link?.default !== undefined || link?.valueFrom !== undefined;
      return {
        name: parameter.id,
        typeText: typeText(parameter.type),
        isConnected,
        isMissing: !isGiven && needsValue(parameter),
      };
    }),
    outputs: step.run.outputs.map(({ id, type }) => ({
      name: id,
      typeText: typeText(type),
      isConnected: used.has(`${step.id}/${id}`),
      isMissing: false,
    })),
  };
}

/** The type of a source, even if `out` of the step does not list it yet; undefined if there is no such source. */
export function typeOfSource(workflow: Workflow, source: string): CwlType | undefined {
  const slash = source.indexOf("/");
  if (slash === -1) return collectSources({ ...workflow, steps: [] }).get(source)?.type;
  const [id, output] = [source.slice(0, slash), source.slice(slash + 1)];
  const step = workflow.steps.find((candidate) => candidate.id === id);
  if (step === undefined || !step.run.outputs.some((candidate) => candidate.id === output)) return undefined;
  return collectSources({ ...workflow, inputs: [], steps: [{ ...step, out: [output] }] }).get(source)?.type;
}
