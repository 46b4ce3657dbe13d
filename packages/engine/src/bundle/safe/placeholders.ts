import type { CwlObject, CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { safeName, type SafeName } from "@weft/cwl/model/safe-name.ts";
import { filesOf, isFileOrDirectory } from "../../values/map-files.ts";
import { safeEnding } from "./safe-ending.ts";

/** A string that must not be disclosed, and its placeholder. */
export interface Secret {
  readonly text: string;
  readonly placeholder: string;
}

/** Placeholders for the inputs of a job; the same input has the same placeholder everywhere in a bundle. */
export class Placeholders {
  readonly #names = new Map<string, SafeName>();
  readonly #secrets: Secret[] = [];

  constructor(inputs: CwlObject) {
    for (const [port, value] of Object.entries(inputs)) this.#addValue(value, `<input:${port}>`);
    for (const { port, file } of filesOf(inputs)) this.#addFile(file, `<input:${port}>`);
  }

  /** All strings that are known to be private. */
  get secrets(): readonly Secret[] {
    return this.#secrets;
  }

  /** `file-1.nii.gz` for a file, `folder-2` for a folder, by its name. */
  nameOf({ class: kind, ...file }: FileOrDirectory): SafeName {
    const basename: string = file.basename ?? "";
    const known = this.#names.get(basename);
    if (known !== undefined) return known;
    const number = this.#names.size + 1;
    const name = safeName(kind === "File" ? `file-${number}${safeEnding(basename)}` : `folder-${number}`);
    this.#names.set(basename, name);
    return name;
  }

  /** The structure of an object without its content: keeps types, array lengths and file sizes. */
  withoutValues(values: CwlObject): CwlObject {
    return Object.fromEntries(Object.entries(values).map(([port, value]) => [port, this.#withoutValue(value, port)]));
  }

  /** The placeholder for an argument of a command line; undefined if the argument is not known to be private. */
  standIn(word: string): string | undefined {
    const whole = this.#secrets.find(({ text }) => text === word);
    if (whole !== undefined) return whole.placeholder;
    const name = word.slice(word.lastIndexOf("/") + 1);
    return word.includes("/") ? this.#names.get(name) && `<path>/${this.#names.get(name)}` : undefined;
  }

  #withoutValue(value: CwlValue, port: string): CwlValue {
    if (value === null) return null;
    if (isFileOrDirectory(value)) return this.#withoutFile(value);
    if (Array.isArray(value)) return value.map((item: CwlValue) => this.#withoutValue(item, port));
    if (typeof value !== "object") return `<input:${port}: ${typeof value}>`;
    const fields = Object.entries(value as CwlObject); // the rest of the union is a record
    return Object.fromEntries(fields.map(([name, field]) => [name, this.#withoutValue(field, `${port}.${name}`)]));
  }

  #withoutFile(value: FileOrDirectory): FileOrDirectory {
    const basename = this.nameOf(value);
    const all = (values: readonly FileOrDirectory[]) => values.map((inner) => this.#withoutFile(inner));
    if (value.class === "Directory")
      return { class: "Directory", basename, ...(value.listing === undefined ? {} : { listing: all(value.listing) }) };
    const { size, secondaryFiles } = value;
    return {
      class: "File",
      basename,
      ...(size === undefined ? {} : { size }),
      ...(secondaryFiles === undefined ? {} : { secondaryFiles: all(secondaryFiles) }),
    };
  }

  #addValue(value: CwlValue, placeholder: string): void {
    if (value === null || isFileOrDirectory(value)) return;
    if (typeof value !== "object") this.#addSecret(String(value), placeholder);
    else for (const inner of Object.values(value)) this.#addValue(inner, placeholder);
  }

  #addFile(file: FileOrDirectory, placeholder: string): void {
    const { basename, location } = file;
    const name = this.nameOf(file);
    if (basename !== undefined) this.#addSecret(basename, name);
    if (location !== undefined) this.#addSecret(location, `${placeholder}/${name}`);
    if (file.class !== "File") return;
    if (file.nameroot !== undefined) this.#addSecret(file.nameroot, name);
    for (const line of (file.contents ?? "").split("\n")) this.#addSecret(line, placeholder);
  }

  #addSecret(text: string, placeholder: string): void {
    if (text.trim() !== "") this.#secrets.push({ text, placeholder });
  }
}
