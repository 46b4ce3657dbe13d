import { Entries, shortName } from "./entries.ts";
import { YamlText, type YamlPath } from "./yaml-text.ts";

/** The target of a link: an input of a step, or an output of the network. */
export type LinkTarget = { readonly step: string; readonly input: string } | { readonly output: string };

/** The field that contains a link. */
export interface LinkPlace {
  readonly entries: Entries;
  readonly name: string;
  readonly field: "source" | "outputSource";
}

/** The parts of a network in a text that is being edited. */
export class NetworkText {
  readonly yaml: YamlText;
  readonly root: YamlPath;

  /** Undefined if the text has no network that can be changed. */
  static parse(text: string): NetworkText | undefined {
    const yaml = YamlText.parse(text);
    const root = yaml && networkPath(yaml);
    return yaml === undefined || root === undefined ? undefined : new NetworkText(yaml, root);
  }

  constructor(yaml: YamlText, root: YamlPath) {
    this.yaml = yaml;
    this.root = root;
  }

  entries(name: string): Entries {
    return new Entries(this.yaml, [...this.root, name], name === "steps" ? "" : "type");
  }

  stepInputs(step: string): Entries {
    const path = this.entries("steps").pathOf(step) ?? [...this.root, "steps", step];
    return new Entries(this.yaml, [...path, "in"], "source");
  }

  linkPlace(target: LinkTarget): LinkPlace {
    if ("output" in target) return { entries: this.entries("outputs"), name: target.output, field: "outputSource" };
    return { entries: this.stepInputs(target.step), name: target.input, field: "source" };
  }

  /** All step inputs and network outputs, which can have links. */
  targets(): readonly LinkTarget[] {
    const steps = this.entries("steps").names;
    const inputs = steps.flatMap((step) => this.stepInputs(step).names.map((input) => ({ step, input })));
    return [...inputs, ...this.entries("outputs").names.map((output) => ({ output }))];
  }

  /** The sources of a link as they are written. */
  sourcesAt({ entries, name, field }: LinkPlace): readonly string[] {
    const found = entries.get(name, field);
    return (Array.isArray(found) ? found : [found]).filter((source) => typeof source === "string");
  }

  /** Replaces sources with others and keeps the form of the link. */
  mapSources(target: LinkTarget, change: (source: string) => string): void {
    const place = this.linkPlace(target);
    const sources = this.sourcesAt(place);
    const changed = sources.map((source) => change(this.plain(source)));
    if (sources.every((source, index) => this.plain(source) === changed[index])) return;
    const isList = Array.isArray(place.entries.get(place.name, place.field));
    place.entries.set(place.name, place.field, isList ? changed : (changed[0] ?? null));
  }

  /** A source without the id of the network: `#main/align/bam` becomes `align/bam`. */
  plain(source: string): string {
    const own = String(this.yaml.get([...this.root, "id"]) ?? "").replace(/^.*#/, "");
    const text = source.replace(/^#/, "");
    return own !== "" && text.startsWith(`${own}/`) ? text.slice(own.length + 1) : text;
  }

  /** Adds a requirement, unless the network has it already. */
  require(name: string): void {
    const { yaml } = this;
    const path: YamlPath = [...this.root, "requirements"];
    const kind = yaml.kindOf(path);
    if (kind === "map" && yaml.has([...path, name])) return;
    const list = kind === "list" ? (yaml.get(path) as readonly { readonly class?: unknown }[]) : [];
    if (list.some((item) => item?.class === name)) return;
    if (kind === "list") yaml.append(path, { class: name });
    else if (kind === "map") yaml.set([...path, name], {});
    else yaml.set(path, { [name]: {} });
  }
}

/** The path of the network in a document: its root, or the main workflow of its `$graph`. */
function networkPath(yaml: YamlText): YamlPath | undefined {
  if (yaml.get(["class"]) === "Workflow") return [];
  const members = Array.from({ length: yaml.count(["$graph"]) }, (_, index): YamlPath => ["$graph", index]);
  const networks = members.filter((path) => yaml.get([...path, "class"]) === "Workflow");
  const main = networks.find((path) => shortName(String(yaml.get([...path, "id"]))) === "main");
  return main ?? (networks.length === 1 ? networks[0] : undefined);
}
