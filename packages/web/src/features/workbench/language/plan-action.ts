import { describeNode } from "@weft/cwl/language/edit/describe-ports.ts";
import type { NetworkGesture } from "@weft/cwl/language/edit/network-gesture.ts";
import type { YamlValue } from "@weft/cwl/language/edit/yaml-nodes.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { Workflow } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";

/** Something that was done in the drawing; names that are taken get a number. */
export type DrawingAction =
  | { readonly kind: "gestures"; readonly gestures: readonly NetworkGesture[]; readonly shown: string }
  | { readonly kind: "step"; readonly path: string; readonly name: string }
  | { readonly kind: "input"; readonly name: string; readonly type: string }
  | { readonly kind: "input-for"; readonly step: string; readonly input: string }
  | { readonly kind: "output"; readonly step: string; readonly output: string }
  | { readonly kind: "duplicate"; readonly of: "step" | "input" | "output"; readonly name: string };

export type PlannedAction =
  | { readonly gestures: readonly NetworkGesture[]; readonly shown: string }
  | { readonly refusal: string };

/** The gestures of an action, all of which undo takes back together. */
export function planAction(
  action: Exclude<DrawingAction, { readonly kind: "step" }>,
  network: Workflow,
): PlannedAction {
  switch (action.kind) {
    case "gestures":
      return { gestures: action.gestures, shown: action.shown };
    case "duplicate": {
      const { of, name } = action;
      const copy = freeName(name, network);
      return { gestures: [{ kind: "duplicate", of, name, copy }], shown: of === "step" ? copy : `${of}:${copy}` };
    }
    case "input": {
      const name = freeName(action.name, network);
      return { gestures: [{ kind: "add-input", name, type: action.type }], shown: `input:${name}` };
    }
    case "input-for":
      return inputFor(action, network);
    case "output":
      return outputFrom(action, network);
  }
}

/** A network input with the type of a step's input, connected to it. */
function inputFor(
  { step, input }: Extract<DrawingAction, { readonly kind: "input-for" }>,
  network: Workflow,
): PlannedAction {
  const found = network.steps.find(({ id }) => id === step);
  const parameter = found?.run.inputs.find(({ id }) => id === input);
  if (found === undefined || parameter === undefined) return { refusal: `${step} has no input ${input}.` };
  const name = freeName(input, network);
  const type = writtenType(found.scatter.includes(input) ? { kind: "array", items: parameter.type } : parameter.type);
  const target = { step, input };
  return {
    gestures: [
      { kind: "add-input", name, type },
      { kind: "link", target, sources: [name] },
    ],
    shown: step,
  };
}

/** A network output that gives what an output of a step gives. */
function outputFrom(
  { step, output }: Extract<DrawingAction, { readonly kind: "output" }>,
  network: Workflow,
): PlannedAction {
  const node = describeNode(network, step);
  const found = node?.kind === "step" ? node.outputs.find((candidate) => candidate.name === output) : undefined;
  if (found === undefined) return { refusal: `${step} has no output ${output}.` };
  const name = freeName(output, network);
  const gesture = { kind: "add-output", name, type: writtenType(found.type), source: `${step}/${output}` } as const;
  return { gestures: [gesture], shown: `output:${name}` };
}

/** The type as a document writes it, in the short form where there is one. A record without a short form may be anything. */
function writtenType(type: CwlType): YamlValue {
  const text = typeText(type);
  if (/^[A-Za-z]+(\[\])*\??$/.test(text)) return text;
  if (type.kind === "union") return type.options.map(writtenType);
  if (type.kind === "array") return { type: "array", items: writtenType(type.items) };
  return type.kind === "enum" ? { type: "enum", symbols: [...type.symbols] } : "Any";
}

/** A name that nothing in the network has: the wanted one, or one with a number. */
export function freeName(wanted: string, network: Workflow): string {
  const taken = new Set([...network.inputs, ...network.steps, ...network.outputs].map(({ id }) => id));
  const base = /^[A-Za-z_]/.test(wanted) ? wanted : `_${wanted}`;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}_${number}`)) return `${base}_${number}`;
}
