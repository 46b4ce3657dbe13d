/** Replaces a step that runs an inline network with the steps of that network, by editing the text. */
import { omitUndefined } from "@weft/cwl/document/fields/omit-undefined.ts";
import type { Entries } from "./entries.ts";
import { freeName } from "./free-name.ts";
import { hasAbsoluteNames, type Regrouped } from "./group-steps.ts";
import { appendLines } from "./move-lines.ts";
import { NetworkText, type LinkPlace, type LinkTarget } from "./network-text.ts";
import type { YamlValue } from "./yaml-nodes.ts";

/** The link of a step input or network output, with the other fields of its entry. */
interface Link {
  readonly sources: readonly string[];
  readonly fields: { readonly [field: string]: YamlValue };
}

/** The reason why a group cannot be dissolved. */
class Obstacle extends Error {}

export function ungroupStep(text: string, name: string): Regrouped {
  const outer = NetworkText.parse(text);
  const path = outer?.entries("steps").pathOf(name);
  if (outer === undefined || path === undefined) return { refusal: "Fix the errors in the text first." };
  if (outer.yaml.get([...path, "run", "class"]) !== "Workflow")
    return { refusal: `The steps of ${name} are in a document of their own. Edit that document instead.` };
  const inner = new NetworkText(outer.yaml, [...path, "run"]);
  if (hasAbsoluteNames(outer) || hasAbsoluteNames(inner))
    return { refusal: "The text refers to objects by #, so the group cannot be dissolved." };
  try {
    new Ungrouping(outer, inner, name).apply();
  } catch (error) {
    if (error instanceof Obstacle) return { refusal: error.message };
    throw error;
  }
  return { text: outer.yaml.text };
}

class Ungrouping {
  readonly #outer: NetworkText;
  readonly #inner: NetworkText;
  readonly #name: string;
  /** New names of the inner steps, by old name. */
  readonly #names = new Map<string, string>();
  /** Links into the group, by the name of its input. */
  readonly #arriving = new Map<string, Link>();

  constructor(outer: NetworkText, inner: NetworkText, name: string) {
    this.#outer = outer;
    this.#inner = inner;
    this.#name = name;
  }

  apply(): void {
    this.#refuseWhatRepeats();
    this.#nameSteps();
    for (const input of this.#inner.entries("inputs").names) this.#arriving.set(input, this.#arrivingAt(input));
    const leaving = new Map(this.#inner.entries("outputs").names.map((output) => [output, this.#leavingAs(output)]));
    const requirements = this.#requirements();
    for (const step of this.#inner.entries("steps").names)
      for (const input of this.#inner.stepInputs(step).names)
        this.#relink(this.#inner, { step, input }, this.#arriving);
    const outside = new Map([...leaving].map(([output, link]) => [`${this.#name}/${output}`, link]));
    for (const target of this.#outer.targets()) this.#relink(this.#outer, target, outside);
    this.#moveSteps();
    for (const requirement of requirements) this.#outer.require(requirement);
  }

  /** Refuses a group that scatters, loops or has a condition: its steps alone would not do the same. */
  #refuseWhatRepeats(): void {
    const steps = this.#outer.entries("steps");
    for (const [field, what] of [
      ["scatter", "runs once for each item"],
      ["when", "runs under a condition"],
      ["loop", "repeats"],
    ])
      if (steps.get(this.#name, field ?? "") !== undefined)
        throw new Obstacle(`${this.#name} ${what}, so its steps cannot be moved out of it.`);
  }

  #nameSteps(): void {
    const taken = new Set(["inputs", "steps"].flatMap((part) => this.#outer.entries(part).names));
    for (const step of this.#inner.entries("steps").names) {
      const free = freeName(step, taken);
      taken.add(free);
      this.#names.set(step, free);
    }
  }

  /** Requirements of the group that only permit a feature, so the whole network can declare them. */
  #requirements(): readonly string[] {
    const { yaml, root } = this.#inner;
    const own = [...root.slice(0, -1)];
    const found = [root, own].flatMap((path) => {
      const value = yaml.get([...path, "requirements"]) ?? {};
      const entries: readonly (readonly [string, object])[] = Array.isArray(value)
        ? value.map((item: { readonly class: string }) => [item.class, item])
        : Object.entries(value);
      return entries.map(([name, fields]) => ({
        name,
        isPlain: Object.keys(fields ?? {}).every((key) => key === "class"),
      }));
    });
    const special = found.find(
      ({ name, isPlain }) =>
        !isPlain || !/FeatureRequirement$|^(?:InlineJavascript|StepInputExpression)Requirement$/.test(name),
    );
    if (special !== undefined)
      throw new Obstacle(`${this.#name} has the requirement ${special.name}. Move it to the steps that need it first.`);
    return found.map(({ name }) => name);
  }

  #arrivingAt(input: string): Link {
    const outside = linkOf(this.#outer.stepInputs(this.#name), input, "source", this.#outer);
    const initial = this.#inner.entries("inputs").get(input, "default");
    if ("valueFrom" in outside.fields || "loadContents" in outside.fields)
      throw new Obstacle(`The input ${input} of ${this.#name} is computed by an expression.`);
    if (initial === undefined) return outside;
    if (outside.sources.length > 0) throw new Obstacle(`The input ${input} of ${this.#name} has a default value.`);
    return { sources: [], fields: { default: initial as YamlValue, ...outside.fields } }; // parsed YAML is data
  }

  /** The link that replaces an output of the group, with the names of the outer network. */
  #leavingAs(output: string): Link {
    const link = linkOf(this.#inner.entries("outputs"), output, "outputSource", this.#inner);
    const { linkMerge, pickValue } = link.fields;
    const kept = omitUndefined({ linkMerge, pickValue });
    const parts = link.sources.map(
      (source) => this.#arriving.get(source) ?? { sources: [this.#renamed(source)], fields: {} },
    );
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && Object.keys(kept).length === 0) return only;
    if (parts.some(({ sources, fields }) => sources.length !== 1 || Object.keys(fields).length > 0))
      throw new Obstacle(`The output ${output} of ${this.#name} joins several values.`);
    return { sources: parts.flatMap(({ sources }) => sources), fields: kept };
  }

  #renamed(source: string): string {
    const slash = source.indexOf("/");
    const step = source.slice(0, Math.max(0, slash));
    return slash === -1 ? source : `${this.#names.get(step) ?? step}${source.slice(slash)}`;
  }

  /** Replaces links through the boundary of the group, and the old names of its steps. */
  #relink(network: NetworkText, target: LinkTarget, through: ReadonlyMap<string, Link>): void {
    const place = network.linkPlace(target);
    const link = linkOf(place.entries, place.name, place.field, network);
    const parts = link.sources.map((source) => through.get(source));
    const isInside = network === this.#inner;
    if (
      parts.every((part) => part === undefined || (part.sources.length === 1 && Object.keys(part.fields).length === 0))
    )
      return network.mapSources(
        target,
        (source) => through.get(source)?.sources[0] ?? (isInside ? this.#renamed(source) : source),
      );
    const [only] = parts;
    const isAlone =
      parts.length === 1 && link.fields["linkMerge"] === undefined && link.fields["pickValue"] === undefined;
    if (only === undefined || !isAlone)
      throw new Obstacle(`The values for ${place.name} are merged both inside and outside ${this.#name}.`);
    this.#replaceLink(place, link.fields, only);
  }

  /** Replaces an inner link with the outer one; fields of the inner link take precedence. */
  #replaceLink({ entries, name, field }: LinkPlace, own: Link["fields"], { sources, fields }: Link): void {
    const isList = sources.length > 1 || "linkMerge" in fields || "pickValue" in fields;
    const isEmpty = sources.length === 0 && Object.keys({ ...own, ...fields }).length === 0;
    if (sources.length === 0 && field === "outputSource") throw new Obstacle(`Nothing arrives at the output ${name}.`);
    if (isEmpty) return entries.remove(name);
    entries.set(name, field, isList ? sources : sources[0]);
    for (const [extra, value] of Object.entries(fields)) if (!(extra in own)) entries.set(name, extra, value);
  }

  #moveSteps(): void {
    const { yaml } = this.#outer;
    const outer = this.#outer.entries("steps");
    const inner = this.#inner.entries("steps");
    for (const [old, name] of this.#names) if (old !== name) inner.rename(old, name);
    const isSameForm = yaml.kindOf([...this.#outer.root, "steps"]) === yaml.kindOf([...this.#inner.root, "steps"]);
    for (const name of this.#names.values()) {
      const fields = inner.fieldsOf(name) ?? {};
      const lines = isSameForm ? inner.lines(name) : undefined;
      if (lines === undefined || !appendLines(yaml.source, [...this.#outer.root, "steps"], lines))
        outer.add(name, fields);
    }
    outer.remove(this.#name);
  }
}

function linkOf(entries: Entries, name: string, field: string, network: NetworkText): Link {
  const fields = entries.fieldsOf(name) ?? {};
  const { [field]: sources, ...others } = fields;
  const list = (Array.isArray(sources) ? sources : [sources]).filter((source) => typeof source === "string");
  return { sources: list.map((source) => network.plain(source)), fields: others };
}
