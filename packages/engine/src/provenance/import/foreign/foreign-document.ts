import { referencesOf, textOf, type ForeignEntity } from "./foreign-graph.ts";
import type { ForeignRun } from "./foreign-run.ts";
import { portName } from "./foreign-values.ts";

/** Names of the ports for which the crate has values. */
export interface PortNames {
  readonly inputs: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

/**
 * An abstract CWL document (Operations, which cannot run) with the crate's facts about the workflow: its name, inputs,
 * outputs and the steps that ran. It has no links between steps.
 */
export function foreignDocument(run: ForeignRun, own: PortNames, steps: ReadonlyMap<string, PortNames>): string {
  const { main, graph, isNetwork } = run;
  const parameters = (property: string) => referencesOf(main, property).flatMap((id) => graph.entity(id) ?? []);
  const ports = portsOf(own, { inputs: parameters("input"), outputs: parameters("output") });
  const head = { cwlVersion: "v1.2", id: "main", ...namesOf(main), ...ports };
  if (!isNetwork) return JSON.stringify({ ...head, class: "Operation" });
  const tools = new Map(run.jobs.map(({ step, tool }) => [step, tool]));
  return JSON.stringify({
    ...head,
    class: "Workflow",
    steps: [...steps].map(([step, ofStep]) => ({
      id: step,
      in: [],
      out: [],
      run: { class: "Operation", ...namesOf(tools.get(step)), ...portsOf(ofStep, { inputs: [], outputs: [] }) },
    })),
  });
}

function namesOf(entity: ForeignEntity | undefined) {
  const [label, doc] = [textOf(entity, "name"), textOf(entity, "description")];
  return { ...(label === undefined ? {} : { label }), ...(doc === undefined ? {} : { doc }) };
}

interface Declared {
  readonly inputs: readonly ForeignEntity[];
  readonly outputs: readonly ForeignEntity[];
}

function portsOf({ inputs, outputs }: PortNames, declared: Declared) {
  const names = (valued: ReadonlySet<string>, parameters: readonly ForeignEntity[]) =>
    [...new Set([...parameters.map((parameter) => portName(parameter)), ...valued])].map((id) => ({
      id,
      type: ["null", "Any"],
    }));
  return { inputs: names(inputs, declared.inputs), outputs: names(outputs, declared.outputs) };
}
