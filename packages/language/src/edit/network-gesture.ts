/** Applies gestures in the drawing of a network to its text. Names are short names. */
import { shortName, type Entries } from "./entries.ts";
import { NetworkText, type LinkTarget } from "./network-text.ts";
import type { YamlValue } from "./yaml-nodes.ts";
import type { YamlPath, YamlText } from "./yaml-text.ts";

export type { LinkTarget };

export type LinkMergeChoice = "merge_nested" | "merge_flattened";
export type PickValueChoice = "first_non_null" | "the_only_non_null" | "all_non_null";

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
      /** True if the step runs once for each item of the value. */
      readonly scatters?: boolean | undefined;
    }
  /** Removes one source of the target. */
  | { readonly kind: "unlink"; readonly target: LinkTarget; readonly source: string }
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
  /** Description of the network; undefined removes it. */
  | { readonly kind: "doc"; readonly value: string | undefined }
  | {
      readonly kind: "duplicate";
      readonly of: "input" | "output" | "step";
      readonly name: string;
      readonly copy: string;
    }
  | { readonly kind: "remove"; readonly of: "input" | "output" | "step"; readonly name: string };

/** The text after a gesture; undefined if the text has no network that can be changed. */
export function applyGesture(text: string, gesture: NetworkGesture): string | undefined {
  const network = NetworkText.parse(text);
  if (network === undefined) return undefined;
  new NetworkEdit(network).apply(gesture);
  return network.yaml.text;
}

class NetworkEdit {
  readonly #network: NetworkText;
  readonly #yaml: YamlText;
  readonly #root: YamlPath;

  constructor(network: NetworkText) {
    this.#network = network;
    this.#yaml = network.yaml;
    this.#root = network.root;
  }

  apply(gesture: NetworkGesture): void {
    switch (gesture.kind) {
      case "add-step":
        return this.#addStep(gesture);
      case "add-input":
        return this.#network.entries("inputs").add(gesture.name, { type: gesture.type });
      case "add-output":
        this.#offer(gesture.source);
        return this.#network.entries("outputs").add(gesture.name, { type: gesture.type, outputSource: gesture.source });
      case "link":
        return this.#link(gesture);
      case "unlink":
        return void this.#dropSources(gesture.target, (source) => source === gesture.source);
      case "scatter":
        return this.#scatter(gesture.step, gesture.inputs, gesture.method);
      case "value":
        return this.#setValue(gesture);
      case "field":
        return this.#network.entries(`${gesture.of}s`).set(gesture.name, gesture.field, gesture.value);
      case "doc":
        return this.#describe(gesture.value);
      case "duplicate":
        return this.#duplicate(gesture);
      case "remove":
        return this.#remove(gesture);
    }
  }

  #addStep({ name, run, outputs, isNetwork }: Extract<NetworkGesture, { kind: "add-step" }>): void {
    const isList = this.#yaml.kindOf([...this.#root, "steps"]) === "list";
    this.#network.entries("steps").add(name, { run, in: isList ? [] : {}, out: outputs });
    if (isNetwork) this.#network.require("SubworkflowFeatureRequirement");
  }

  #link({ target, sources, linkMerge, pickValue, scatters }: Extract<NetworkGesture, { kind: "link" }>): void {
    for (const source of sources) this.#offer(source);
    const isList = sources.length > 1 || linkMerge !== undefined || pickValue !== undefined;
    const value = isList ? sources : sources[0];
    const { entries, name, field } = this.#network.linkPlace(target);
    if (value === undefined) return this.#unlink(entries, name, field);
    if (entries.pathOf(name) === undefined) entries.add(name, { [field]: value });
    else entries.set(name, field, value);
    for (const [extra, setting] of Object.entries({ linkMerge, pickValue }))
      if (setting !== undefined || entries.get(name, extra) !== undefined) entries.set(name, extra, setting);
    if (isList) this.#network.require("MultipleInputFeatureRequirement");
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

  #toggleScatter(step: string, input: string, isOn: boolean): void {
    const now = this.#scatterOf(step);
    if (now.includes(input) === isOn) return;
    const inputs = isOn ? [...now, input] : now.filter((name) => name !== input);
    this.#scatter(step, inputs, this.#network.entries("steps").get(step, "scatterMethod") as string | undefined);
  }

  #scatter(step: string, inputs: readonly string[], method: string | undefined): void {
    const steps = this.#network.entries("steps");
    steps.set(step, "scatter", inputs.length > 1 ? inputs : inputs[0]);
    const setting = inputs.length > 1 ? (method ?? "dotproduct") : undefined;
    if (setting !== undefined || steps.get(step, "scatterMethod") !== undefined)
      steps.set(step, "scatterMethod", setting);
    if (inputs.length > 0) this.#network.require("ScatterFeatureRequirement");
  }

  #scatterOf(step: string): readonly string[] {
    const found = this.#network.entries("steps").get(step, "scatter");
    return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map((name) => shortName(String(name)));
  }

  #setValue({ step, input, value }: Extract<NetworkGesture, { kind: "value" }>): void {
    const inputs = this.#network.stepInputs(step);
    if (inputs.pathOf(input) === undefined) {
      if (value !== undefined) inputs.add(input, { default: value });
      return;
    }
    if (value === undefined && inputs.get(input, "source") === undefined) inputs.remove(input);
    else inputs.set(input, "default", value);
  }

  #describe(text: string | undefined): void {
    const path = [...this.#root, "doc"];
    if (text === undefined) this.#yaml.remove(path);
    else this.#yaml.set(path, text);
  }

  #duplicate({ of, name, copy }: Extract<NetworkGesture, { kind: "duplicate" }>): void {
    const entries = this.#network.entries(`${of}s`);
    const fields = entries.fieldsOf(name);
    if (fields !== undefined) entries.add(copy, fields);
  }

  #remove({ of, name }: Extract<NetworkGesture, { kind: "remove" }>): void {
    this.#network.entries(`${of}s`).remove(name);
    if (of === "output") return;
    const isGone = (source: string) => (of === "step" ? source.startsWith(`${name}/`) : source === name);
    for (const target of this.#network.targets()) {
      const left = this.#dropSources(target, isGone);
      // An output of the network without a source would be an error.
      if ("output" in target && left === 0) this.#network.entries("outputs").remove(target.output);
    }
  }

  /** Returns the number of sources that are left; undefined if none was removed. */
  #dropSources(target: LinkTarget, isGone: (source: string) => boolean): number | undefined {
    const { entries, name, field } = this.#network.linkPlace(target);
    const sources = this.#network.sourcesAt({ entries, name, field });
    const remaining = sources.filter((source) => !isGone(this.#network.plain(source)));
    if (remaining.length === sources.length) return undefined;
    if (remaining.length === 0) {
      this.#unlink(entries, name, field);
      // Without a source, there are no items to scatter over.
      if ("step" in target && entries.pathOf(name) === undefined) this.#toggleScatter(target.step, target.input, false);
    } else entries.set(name, field, Array.isArray(entries.get(name, field)) ? remaining : (remaining[0] ?? null));
    return remaining.length;
  }

  /** Adds a step's output to `out`, without which it cannot be a source. */
  #offer(source: string): void {
    const [step, output] = source.split("/");
    if (step === undefined || output === undefined) return;
    const path = this.#network.entries("steps").pathOf(step);
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
}
