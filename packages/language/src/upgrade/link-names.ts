import { entryOf, textEntry, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/** Returns the v1.0 name of a source as written; undefined if there is no such source. */
export type SourceNames = (written: string) => string | undefined;

/** The id of a process without `#`; empty if it has none. */
export function processId(process: MappingNode): string {
  return withoutHash(textEntry(process, "id") ?? "");
}

/**
 * The part after `#`: draft-3 writes `#a` and draft-2 `#step.a` where v1.0 writes `a`. An owner is a step or a
 * process.
 */
export function portName(written: string, owners: readonly string[]): string {
  if (!written.includes("#")) return written.slice(written.lastIndexOf("/") + 1);
  const own = withoutHash(written);
  const last = own.slice(own.lastIndexOf("/") + 1);
  return owners.reduce(
    (name, owner) => (owner !== "" && name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : name),
    last,
  );
}

/** Translates the names of a workflow's inputs and of the outputs of its steps. */
export function sourceNames(workflow: MappingNode): SourceNames {
  const id = processId(workflow);
  const names = new Set(itemsOf(workflow, "inputs").map((input) => portName(idIn(input), [id])));
  const steps = itemsOf(workflow, "steps").map((step) => ({ name: portName(idIn(step), [id]), step }));
  for (const { name, step } of steps)
    for (const port of itemsOf(step, "outputs")) names.add(`${name}/${portName(idIn(port), [id, name])}`);
  const isComplete = !hasImports(workflow);
  const stepNames = steps.map(({ name }) => name);
  return (written) => {
    const plain = withoutHash(written);
    const local = [`${id}/`, `${id}.`].find((prefix) => id !== "" && plain.startsWith(prefix));
    const candidates = [plain, ...(local === undefined ? [] : [plain.slice(local.length)])];
    const direct = candidates.find((candidate) => names.has(candidate));
    if (direct !== undefined) return direct;
    const dotted = candidates.flatMap((candidate) => withSlash(candidate, stepNames));
    const found = dotted.find((candidate) => names.has(candidate));
    return found ?? (isComplete ? undefined : (dotted.at(-1) ?? candidates.at(-1)));
  };
}

/** Names with a slash between step and port: `step.port` becomes `step/port`. */
function withSlash(name: string, steps: readonly string[]): readonly string[] {
  return steps.filter((step) => name.startsWith(`${step}.`)).map((step) => `${step}/${name.slice(step.length + 1)}`);
}

function withoutHash(written: string): string {
  return written.slice(written.indexOf("#") + 1);
}

function idIn(node: YamlNode): string {
  if (node.kind === "scalar") return String(node.value);
  return textEntry(node, "id") ?? "";
}

function itemsOf(node: YamlNode, field: string): readonly YamlNode[] {
  const list = node.kind === "mapping" ? entryOf(node, field)?.value : undefined;
  return list?.kind === "sequence" ? list.items : [];
}

/** True if the workflow imports fragments, whose ports are unknown. */
function hasImports(workflow: MappingNode): boolean {
  const steps = itemsOf(workflow, "steps");
  const lists = [workflow, ...steps].flatMap((node) =>
    node.kind === "mapping" ? ["inputs", "outputs", "steps"].map((field) => entryOf(node, field)?.value) : [],
  );
  const nodes = [...lists, ...lists.flatMap((list) => (list?.kind === "sequence" ? list.items : []))];
  return nodes.some((node) => node?.kind === "mapping" && node.entries.some(({ key }) => /^[$@]?import$/.test(key)));
}
