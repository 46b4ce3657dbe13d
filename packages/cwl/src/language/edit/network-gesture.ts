/** What somebody does in the drawing of a network, as a change of its text. Names are short names. */
import { Entries, shortName } from "./entries.ts";
import type { YamlValue } from "./yaml-nodes.ts";
import { YamlText, type YamlPath } from "./yaml-text.ts";

export type LinkMergeChoice = "merge_nested" | "merge_flattened";
export type PickValueChoice = "first_non_null" | "the_only_non_null" | "all_non_null";

/** Something that receives values: an input of a step, or an output of the network. */
export type LinkTarget = { readonly step: string; readonly input: string } | { readonly output: string };

export type NetworkGesture =
  | {
      readonly kind: "add-step";
      readonly name: string;
      /** Reference to the document, relative to the network. */
      readonly run: string;
      readonly outputs: readonly string[];
      readonly isNetwork: boolean;
    }
  | { readonly kind: "add-input"; readonly name: string; readonly type: YamlValue }
  | { readonly kind: "add-output"; readonly name: string; readonly type: YamlValue; readonly source: string }
  | {
      readonly kind: "link";
      readonly target: LinkTarget;
      /** Replaces all sources of the target; empty: disconnects it. */
      readonly sources: readonly string[];
      readonly linkMerge?: LinkMergeChoice | undefined;
      readonly pickValue?: PickValueChoice | undefined;
      /** Runs the step once for each item of what arrives. */
      readonly scatters?: boolean | undefined;
    }
  | {
      readonly kind: "scatter";
      readonly step: string;
      readonly inputs: readonly string[];
      readonly method?: string | undefined;
    }
  | { readonly kind: "value"; readonly step: string; readonly input: string; readonly value: YamlValue | undefined }
  | {
      readonly kind: "field";
      readonly of: "input" | "output" | "step";
      readonly name: string;
      readonly field: string;
      readonly value: YamlValue | undefined;
    }
  | { readonly kind: "duplicate"; readonly step: string; readonly name: string }
  | { readonly kind: "remove"; readonly of: "input" | "output" | "step"; readonly name: string };

/** The text after a gesture; undefined if the text has no network that can be changed. */
export function applyGesture(text: string, gesture: NetworkGesture): string | undefined {
  const yaml = YamlText.parse(text);
  const root = yaml && networkPath(yaml);
  if (yaml === undefined || root === undefined) return undefined;
  new NetworkEdit(yaml, root).apply(gesture);
  return yaml.text;
}

/** The place of the network that a document describes. */
function networkPath(yaml: YamlText): YamlPath | undefined {
  if (yaml.get(["class"]) === "Workflow") return [];
  const members = Array.from({ length: yaml.count(["$graph"]) }, (_, index): YamlPath => ["$graph", index]);
  const networks = members.filter((path) => yaml.get([...path, "class"]) === "Workflow");
  const main = networks.find((path) => shortName(String(yaml.get([...path, "id"]))) === "main");
  return main ?? (networks.length === 1 ? networks[0] : undefined);
}

class NetworkEdit {
  readonly #yaml: YamlText;
  readonly #root: YamlPath;

  constructor(yaml: YamlText, root: YamlPath) {
    this.#yaml = yaml;
    this.#root = root;
  }

  apply(gesture: NetworkGesture): void {
    switch (gesture.kind) {
      case "add-step":
        return this.#addStep(gesture);
      case "add-input":
        return this.#entries("inputs").add(gesture.name, { type: gesture.type });
      case "add-output":
        this.#offer(gesture.source);
        return this.#entries("outputs").add(gesture.name, { type: gesture.type, outputSource: gesture.source });
      case "link":
        return this.#link(gesture);
      case "scatter":
        return this.#scatter(gesture.step, gesture.inputs, gesture.method);
      case "value":
        return this.#setValue(gesture);
      case "field":
        return this.#entries(`${gesture.of}s`).set(gesture.name, gesture.field, gesture.value);
      case "duplicate":
        return this.#duplicate(gesture);
      case "remove":
        return this.#remove(gesture);
    }
  }

  #addStep({ name, run, outputs, isNetwork }: Extract<NetworkGesture, { kind: "add-step" }>): void {
    const isList = this.#yaml.kindOf([...this.#root, "steps"]) === "list";
    this.#entries("steps").add(name, { run, in: isList ? [] : {}, out: outputs });
    if (isNetwork) this.#require("SubworkflowFeatureRequirement");
  }

  #link({ target, sources, linkMerge, pickValue, scatters }: Extract<NetworkGesture, { kind: "link" }>): void {
    for (const source of sources) this.#offer(source);
    const isList = sources.length > 1 || linkMerge !== undefined || pickValue !== undefined;
    const value = isList ? sources : sources[0];
    const { entries, name, field } = this.#linkPlace(target);
    if (value === undefined) return this.#unlink(entries, name, field);
    if (entries.pathOf(name) === undefined) entries.add(name, { [field]: value });
    else entries.set(name, field, value);
    for (const [extra, wanted] of Object.entries({ linkMerge, pickValue }))
      if (wanted !== undefined || entries.get(name, extra) !== undefined) entries.set(name, extra, wanted);
    if (isList) this.#require("MultipleInputFeatureRequirement");
    if ("step" in target && scatters !== undefined) this.#toggleScatter(target.step, target.input, scatters);
  }

  #unlink(entries: Entries, name: string, field: string): void {
    for (const extra of ["linkMerge", "pickValue"])
      if (entries.get(name, extra) !== undefined) entries.set(name, extra, undefined);
    const path = entries.pathOf(name);
    if (path === undefined) return;
    const others =
      this.#yaml.kindOf(path) === "map" ? this.#yaml.keys(path).filter((key) => key !== field && key !== "id") : [];
    if (others.length === 0) entries.remove(name);
    else entries.set(name, field, undefined);
  }

  #linkPlace(target: LinkTarget) {
    if ("output" in target) return { entries: this.#entries("outputs"), name: target.output, field: "outputSource" };
    return { entries: this.#stepInputs(target.step), name: target.input, field: "source" };
  }

  #toggleScatter(step: string, input: string, isOn: boolean): void {
    const now = this.#scatterOf(step);
    if (now.includes(input) === isOn) return;
    const inputs = isOn ? [...now, input] : now.filter((name) => name !== input);
    this.#scatter(step, inputs, this.#entries("steps").get(step, "scatterMethod") as string | undefined);
  }

  #scatter(step: string, inputs: readonly string[], method: string | undefined): void {
    const steps = this.#entries("steps");
    steps.set(step, "scatter", inputs.length > 1 ? inputs : inputs[0]);
    const wanted = inputs.length > 1 ? (method ?? "dotproduct") : undefined;
    if (wanted !== undefined || steps.get(step, "scatterMethod") !== undefined)
      steps.set(step, "scatterMethod", wanted);
    if (inputs.length > 0) this.#require("ScatterFeatureRequirement");
  }

  #scatterOf(step: string): readonly string[] {
    const found = this.#entries("steps").get(step, "scatter");
    return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map((name) => shortName(String(name)));
  }

  #setValue({ step, input, value }: Extract<NetworkGesture, { kind: "value" }>): void {
    const inputs = this.#stepInputs(step);
    if (inputs.pathOf(input) === undefined) {
      if (value !== undefined) inputs.add(input, { default: value });
      return;
    }
    if (value === undefined && inputs.get(input, "source") === undefined) inputs.remove(input);
    else inputs.set(input, "default", value);
  }

  #duplicate({ step, name }: Extract<NetworkGesture, { kind: "duplicate" }>): void {
    const steps = this.#entries("steps");
    const path = steps.pathOf(step);
    if (path === undefined) return;
    const { id: _id, ...fields } = this.#yaml.get(path) as { readonly [field: string]: YamlValue }; // a step is a map
    steps.add(name, fields);
  }

  #remove({ of, name }: Extract<NetworkGesture, { kind: "remove" }>): void {
    this.#entries(`${of}s`).remove(name);
    if (of === "output") return;
    const isGone = (source: string) => (of === "step" ? source.startsWith(`${name}/`) : source === name);
    for (const step of this.#entries("steps").names)
      for (const input of this.#stepInputs(step).names) this.#dropSources({ step, input }, isGone);
    for (const output of this.#entries("outputs").names) this.#dropSources({ output }, isGone);
  }

  #dropSources(target: LinkTarget, isGone: (source: string) => boolean): void {
    const { entries, name, field } = this.#linkPlace(target);
    const found = entries.get(name, field);
    const sources = (Array.isArray(found) ? found : [found]).filter((source) => typeof source === "string");
    const left = sources.filter((source) => !isGone(this.#plain(source)));
    if (left.length === sources.length) return;
    if (left.length === 0) {
      // An output of the network without a source would be an error.
      if ("output" in target) entries.remove(name);
      else this.#unlink(entries, name, field);
    } else entries.set(name, field, Array.isArray(found) ? left : (left[0] ?? null));
  }

  /** `#main/align/bam` is `align/bam`. */
  #plain(source: string): string {
    const own = String(this.#yaml.get([...this.#root, "id"]) ?? "").replace(/^.*#/, "");
    const text = source.replace(/^#/, "");
    return own !== "" && text.startsWith(`${own}/`) ? text.slice(own.length + 1) : text;
  }

  /** A step's output counts as a source only if `out` names it. */
  #offer(source: string): void {
    const [step, output] = source.split("/");
    if (step === undefined || output === undefined) return;
    const path = this.#entries("steps").pathOf(step);
    if (path === undefined) return;
    const out: YamlPath = [...path, "out"];
    const offered = this.#yaml.get(out);
    const names = (Array.isArray(offered) ? offered : []).map((item) =>
      shortName(String(typeof item === "object" && item !== null ? (item as { readonly id?: unknown }).id : item)),
    );
    if (names.includes(output)) return;
    if (this.#yaml.kindOf(out) === "list" && names.length > 0) this.#yaml.append(out, output);
    else this.#yaml.set(out, [output]);
  }

  /** Adds a requirement that a gesture needs, unless the network has it already. */
  #require(name: string): void {
    const path: YamlPath = [...this.#root, "requirements"];
    const kind = this.#yaml.kindOf(path);
    if (kind === "map" && this.#yaml.has([...path, name])) return;
    const list = kind === "list" ? (this.#yaml.get(path) as readonly { readonly class?: unknown }[]) : [];
    if (list.some((item) => item?.class === name)) return;
    if (kind === "list") this.#yaml.append(path, { class: name });
    else if (kind === "map") this.#yaml.set([...path, name], {});
    else this.#yaml.set(path, { [name]: {} });
  }

  #entries(name: string): Entries {
    return new Entries(this.#yaml, [...this.#root, name], name === "steps" ? "" : "type");
  }

  #stepInputs(step: string): Entries {
    const path = this.#entries("steps").pathOf(step) ?? [...this.#root, "steps", step];
    return new Entries(this.#yaml, [...path, "in"], "source");
  }
}
