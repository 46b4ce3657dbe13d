/** Finds the ways to connect a source to a port, each with its gestures. */
import { acceptsNull, withoutNull } from "@weft/cwl/links/link-source.ts";
import { assignability } from "@weft/cwl/model/assignability.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { InputParameter, OutputParameter, Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { stepsBefore } from "@weft/cwl/workflow/select-targets.ts";
import { typeOfSource } from "./drawn-ports.ts";
import type { LinkTarget, NetworkGesture } from "./network-gesture.ts";

/** A port of a node in a drawing: an input of a step, or an output of the network, whose `path` and `port` have equal names. */
export interface PortPlace {
  readonly path: string;
  readonly port: string;
}

/**
 * `direct`: unchanged. `format`: unchanged, and the network's input gets the format that the port requires. `check`: only some
 * values fit, which the run checks. `scatter`: once for each item; `pair` and `cross` combine the items with inputs that are
 * already scattered. `list`: as a list of one item. Together with existing sources, `nested` creates a list of all values,
 * `joined` concatenates lists, `first` and `only` take a value that is not null. `replace…`: instead of existing sources.
 */
export type WayKind =
  | "direct"
  | "format"
  | "check"
  | "scatter"
  | "pair"
  | "cross"
  | "list"
  | "nested"
  | "joined"
  | "first"
  | "only";

export interface Way {
  readonly kind: WayKind;
  readonly source: string;
  readonly place: PortPlace;
  readonly typeText: string;
  /** The existing sources of the port that the connection replaces. */
  readonly replaces: readonly string[];
  /** The format that `format` sets. */
  readonly format?: string;
  readonly gestures: readonly NetworkGesture[];
}

/** Every port that accepts the values of a source, except ports that would create a cycle. */
export function compatiblePorts(workflow: Workflow, source: string): readonly PortPlace[] {
  return sinksFor(workflow, source)
    .filter((sink) => waysTo(sink, { workflow, source }).length > 0)
    .map(({ place }) => place);
}

/** All ways to connect a source to one port of a node, or to any port of it. */
export function waysToConnect(workflow: Workflow, source: string, to: { path: string; port?: string }): readonly Way[] {
  return sinksFor(workflow, source)
    .filter(({ place }) => place.path === to.path && (to.port === undefined || place.port === to.port))
    .flatMap((sink) => waysTo(sink, { workflow, source }));
}

interface Sink {
  readonly place: PortPlace;
  readonly target: LinkTarget;
  readonly parameter: InputParameter | OutputParameter;
  readonly step: WorkflowStep | undefined;
  /** Sources to which the port is connected. */
  readonly sources: readonly string[];
  readonly isScattered: boolean;
}

function sinksFor(workflow: Workflow, source: string): readonly Sink[] {
  // Connecting the source to its own step, or to one that this step needs, would create a cycle.
  const before = stepsBefore(workflow, [source]);
  const inputs = workflow.steps
    .filter(({ id }) => !before.has(id))
    .flatMap((step) =>
      step.run.inputs.map((parameter): Sink => {
        const link = step.in.find(({ id }) => id === parameter.id);
        const { id: port } = parameter;
        return {
          place: { path: step.id, port },
          target: { step: step.id, input: port },
          ...{ parameter, step, sources: link?.source ?? [], isScattered: step.scatter.includes(port) },
        };
      }),
    );
  const outputs = workflow.outputs.map((parameter): Sink => {
    const { id: port, outputSource } = parameter;
    return {
      place: { path: `output:${port}`, port },
      target: { output: port },
      ...{ parameter, step: undefined, sources: outputSource?.source ?? [], isScattered: false },
    };
  });
  return [...inputs, ...outputs].filter(({ sources }) => !sources.includes(source));
}

interface From {
  readonly workflow: Workflow;
  readonly source: string;
}

function waysTo(sink: Sink, from: From): readonly Way[] {
  const type = typeOfSource(from.workflow, from.source);
  if (type === undefined) return [];
  const { parameter, place, sources } = sink;
  const base = { source: from.source, place, typeText: typeText(type) };
  const alone = fitsAlone(type, sink, from).map(({ kind, extra = {}, before = [], format }): Way => ({
    ...{ ...base, kind, replaces: sources },
    ...(format === undefined ? {} : { format }),
    gestures: [...before, link(sink, [from.source], extra)],
  }));
  if (sources.length === 0) return alone;
  const accepted: CwlType = sink.isScattered ? { kind: "array", items: parameter.type } : parameter.type;
  const together = fitsTogether([...sources, from.source], accepted, from.workflow).map(({ kind, extra }): Way => ({
    ...{ ...base, kind, replaces: [] },
    gestures: [link(sink, [...sources, from.source], extra)],
  }));
  return [...together, ...alone];
}

type LinkExtra = Partial<Pick<Extract<NetworkGesture, { kind: "link" }>, "linkMerge" | "pickValue" | "scatters">>;

function link(sink: Sink, sources: readonly string[], extra: LinkExtra): NetworkGesture {
  return { kind: "link", target: sink.target, sources, ...extra };
}

interface Fit {
  readonly kind: WayKind;
  readonly extra?: LinkExtra;
  readonly before?: readonly NetworkGesture[];
  readonly format?: string;
}

/** The ways in which one source fits. */
function fitsAlone(type: CwlType, sink: Sink, from: From): readonly Fit[] {
  const { parameter, step, isScattered } = sink;
  const once = isScattered ? { scatters: false } : {};
  const direct = assignability(type, parameter.type);
  if (direct === "yes") return [...formatFits(parameter, from, once), { kind: "direct", extra: once }];
  if (step !== undefined && type.kind === "array" && assignability(type.items, parameter.type) === "yes")
    return scatterFits(step, parameter.id);
  if (direct === "maybe") return [{ kind: "check", extra: once }];
  const list = withoutNull(parameter.type);
  if (list.kind !== "array" || assignability(type, list.items) !== "yes") return [];
  return [{ kind: "list", extra: { linkMerge: "merge_nested", ...once } }];
}

/** A step that is scattered over other inputs can take the items in pairs or combine them. */
function scatterFits(step: WorkflowStep, port: string): readonly Fit[] {
  const others = step.scatter.filter((name) => name !== port);
  if (others.length === 0 || step.scatter.includes(port)) return [{ kind: "scatter", extra: { scatters: true } }];
  const cross = { kind: "scatter", step: step.id, inputs: [...others, port], method: "flat_crossproduct" } as const;
  const fits: readonly Fit[] = [
    { kind: "pair", extra: { scatters: true } },
    { kind: "cross", before: [cross] },
  ];
  const method = step.scatterMethod ?? "dotproduct";
  return others.length > 1 ? fits.filter(({ kind }) => (kind === "pair") === (method === "dotproduct")) : fits;
}

/** A run refuses a file without a format if one is needed; an input of the network can declare it. */
function formatFits(parameter: InputParameter | OutputParameter, { workflow, source }: From, extra: LinkExtra) {
  const [format, ...others] = parameter.format ?? [];
  const input = workflow.inputs.find(({ id }) => id === source);
  if (format === undefined || others.length > 0 || format.includes("$") || input === undefined) return [];
  if (input.format !== undefined) return [];
  const declare = { kind: "field", of: "input", name: source, field: "format", value: format } as const;
  return [{ kind: "format", extra, before: [declare], format } satisfies Fit];
}

/** The ways in which several sources become one value. */
function fitsTogether(sources: readonly string[], accepted: CwlType, workflow: Workflow) {
  const types = sources.flatMap((source) => typeOfSource(workflow, source) ?? []);
  if (types.length < sources.length) return [];
  const list = withoutNull(accepted);
  const fits = (type: CwlType, sink: CwlType): boolean => assignability(type, sink) === "yes";
  const found: { readonly kind: WayKind; readonly extra: LinkExtra }[] = [];
  if (list.kind === "array") {
    if (types.some(({ kind }) => kind === "array") && types.every((type) => fits(type, list) || fits(type, list.items)))
      found.push({ kind: "joined", extra: { linkMerge: "merge_flattened" } });
    if (types.every((type) => fits(type, list.items)))
      found.push({ kind: "nested", extra: { linkMerge: "merge_nested" } });
  }
  if (types.some(acceptsNull) && types.every((type) => fits(withoutNull(type), accepted)))
    found.push(
      { kind: "first", extra: { pickValue: "first_non_null" } },
      { kind: "only", extra: { pickValue: "the_only_non_null" } },
    );
  return found;
}
