import { cutLines, linesOf } from "./move-lines.ts";
import type { YamlValue } from "./yaml-nodes.ts";
import type { YamlPath, YamlText } from "./yaml-text.ts";

/**
 * The inputs, outputs or steps of a process, or the inputs of a step. CWL permits a map by name and a list of objects with
 * `id`, and in a map a short form for one field: `reads: File` is `reads: {type: File}`.
 */
export class Entries {
  readonly #yaml: YamlText;
  readonly #path: YamlPath;
  readonly #shortField: string;

  constructor(yaml: YamlText, path: YamlPath, shortField = "") {
    this.#yaml = yaml;
    this.#path = path;
    this.#shortField = shortField;
  }

  get names(): readonly string[] {
    const yaml = this.#yaml;
    if (yaml.kindOf(this.#path) === "map") return yaml.keys(this.#path).map(shortName);
    return Array.from({ length: yaml.count(this.#path) }, (_, index) => this.#nameAt(index));
  }

  /** The path of an entry; undefined if the collection has none of this name. */
  pathOf(name: string): YamlPath | undefined {
    const yaml = this.#yaml;
    if (yaml.kindOf(this.#path) === "map") {
      const key = yaml.keys(this.#path).find((candidate) => shortName(candidate) === name);
      return key === undefined ? undefined : [...this.#path, key];
    }
    const index = this.names.indexOf(name);
    return index === -1 ? undefined : [...this.#path, index];
  }

  add(name: string, fields: { readonly [field: string]: YamlValue }): void {
    const kind = this.#yaml.kindOf(this.#path);
    if (kind === "list") return this.#yaml.append(this.#path, { id: name, ...fields });
    const [only, ...others] = Object.keys(fields);
    const isShort = only !== undefined && only === this.#shortField && others.length === 0;
    const value = isShort ? (fields[only] ?? null) : fields;
    const isText = typeof value === "string" || !isShort;
    const entry = isText ? value : fields;
    if (kind === "nothing") this.#yaml.set(this.#path, { [name]: entry });
    else this.#yaml.set([...this.#path, name], entry);
  }

  /** All fields of an entry except its name, even if it has the short form. */
  fieldsOf(name: string): { readonly [field: string]: YamlValue } | undefined {
    const path = this.pathOf(name);
    if (path === undefined) return undefined;
    const value = this.#yaml.get(path) as YamlValue; // parsed YAML is data
    if (this.#yaml.kindOf(path) !== "map") return { [this.#shortField]: value };
    const { id: _id, ...fields } = value as { readonly [field: string]: YamlValue }; // kindOf says that it is a map
    return fields;
  }

  remove(name: string): void {
    const path = this.pathOf(name);
    if (path !== undefined) this.#yaml.remove(path);
  }

  /** The lines of an entry as they are written; undefined if it has no lines of its own. */
  lines(name: string): string | undefined {
    const path = this.pathOf(name);
    return path && linesOf(this.#yaml.source, path);
  }

  /** Removes an entry with the comments directly above it. */
  cut(name: string): void {
    const path = this.pathOf(name);
    if (path !== undefined && !cutLines(this.#yaml.source, path)) this.#yaml.remove(path);
  }

  rename(name: string, to: string): void {
    const path = this.pathOf(name);
    if (path === undefined) return;
    if (this.#yaml.kindOf(this.#path) === "map") this.#yaml.renameKey(path, to);
    else this.#yaml.set([...path, "id"], to);
  }

  /** The value of a field, even of the one that has the short form. */
  get(name: string, field: string): unknown {
    const path = this.pathOf(name);
    if (path === undefined) return undefined;
    if (this.#yaml.kindOf(path) === "map") return this.#yaml.get([...path, field]);
    return field === this.#shortField ? this.#yaml.get(path) : undefined;
  }

  /** Sets a field of an entry, or removes it. */
  set(name: string, field: string, value: YamlValue | undefined): void {
    const path = this.pathOf(name);
    if (path === undefined) return;
    const yaml = this.#yaml;
    if (yaml.kindOf(path) === "map") {
      if (value === undefined) yaml.remove([...path, field]);
      else yaml.set([...path, field], value);
      return;
    }
    const isShort =
      field === this.#shortField && (typeof value === "string" || (Array.isArray(value) && field === "source"));
    if (isShort && value !== undefined) return yaml.set(path, value);
    if (value === undefined) return field === this.#shortField ? yaml.set(path, {}) : undefined;
    const short = yaml.get(path) as YamlValue | undefined; // parsed YAML is data
    const kept = short === undefined || short === null ? {} : { [this.#shortField]: short };
    yaml.set(path, { ...kept, [field]: value });
  }

  #nameAt(index: number): string {
    return shortName(String(this.#yaml.get([...this.#path, index, "id"]) ?? ""));
  }
}

/** The last part of an id: `#main/align` becomes `align`. */
export function shortName(id: string): string {
  return id.slice(Math.max(id.lastIndexOf("/"), id.lastIndexOf("#")) + 1);
}
