import { describeNode } from "@weft/language/edit/describe-ports.ts";
import type { NetworkGesture } from "@weft/language/edit/network-gesture.ts";
import { freeName as unusedName } from "@weft/language/edit/free-name.ts";
import { writtenType } from "@weft/language/edit/written-type.ts";
import type { Workflow } from "@weft/cwl/model/process.ts";

export type { NodeView, PortView, SourceChoice } from "@weft/language/edit/describe-ports.ts";
export type {
  LinkMergeChoice,
  LinkTarget,
  NetworkGesture,
  PickValueChoice,
} from "@weft/language/edit/network-gesture.ts";
export type { PortPlace, Way, WayKind } from "@weft/language/edit/ways-to-connect.ts";

/** An action in the drawing. Names that are taken get a number. */
export type DrawingAction =
  | { readonly kind: "gestures"; readonly gestures: readonly NetworkGesture[]; readonly shown: string }
  /** `after`: a source to connect to the new step, if it has a compatible input. */
  | { readonly kind: "step"; readonly path: string; readonly name: string; readonly after?: string | undefined }
  | { readonly kind: "input"; readonly name: string; readonly type: string }
  | { readonly kind: "input-for"; readonly step: string; readonly input: string }
  | { readonly kind: "output"; readonly step: string; readonly output: string }
  | { readonly kind: "group"; readonly steps: readonly string[]; readonly name: string }
  | { readonly kind: "ungroup"; readonly step: string }
  | { readonly kind: "duplicate-steps"; readonly steps: readonly string[] }
  | { readonly kind: "duplicate"; readonly of: "step" | "input" | "output"; readonly name: string };

export type PlannedAction =
  | { readonly gestures: readonly NetworkGesture[]; readonly shown: string }
  | { readonly refusal: string };

/** The gestures of an action, which one undo reverts together. */
export function planAction(
  action: Exclude<DrawingAction, { readonly kind: "step" | "group" | "ungroup" }>,
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
    case "duplicate-steps":
      return { gestures: copies(action.steps, network), shown: "" };
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

function copies(steps: readonly string[], network: Workflow): readonly NetworkGesture[] {
  const taken = namesIn(network);
  return steps.map((name) => {
    const copy = unusedName(name, taken);
    taken.add(copy);
    return { kind: "duplicate", of: "step", name, copy };
  });
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

/** A network output connected to an output of a step. */
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

/** A name that nothing in the network has: the wanted one, or one with a number. */
export function freeName(preferred: string, network: Workflow): string {
  return unusedName(preferred, namesIn(network));
}

function namesIn({ inputs, steps, outputs }: Workflow): Set<string> {
  return new Set([...inputs, ...steps, ...outputs].map(({ id }) => id));
}
