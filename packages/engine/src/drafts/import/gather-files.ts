import { posix } from "node:path";
import { relativeReference, withoutFragment } from "@weft/cwl/values/resolve-reference.ts";
import { pathProblem } from "../draft-file-path.ts";
import { editReferences, fragmentOf, referencesIn } from "../edit-references.ts";
import { pathOfFile, uriInCatalog, uriOfFile, type ImportedFile, type ImportedFiles } from "./imported-files.ts";

/** Folder of files that a document refers to outside its own folder. */
const ELSEWHERE = "files";

/** Fields whose values are always references. */
const MUST_EXIST: ReadonlySet<string> = new Set(["run", "$import", "$include", "$mixin"]);

export interface GatherOptions {
  readonly files: ImportedFiles;
  /** The paths of all files below a folder. */
  readonly below: (folder: string) => readonly string[];
  /** Folder of the version in the catalog: `tools/align/1.0.0`. */
  readonly place: string;
  /** The path in the catalog of a document that a reference with this address runs. */
  readonly processAt: (address: string) => string | undefined;
}

export interface Gathered {
  /** The document with references that lead to the files and to other documents. */
  readonly text: string;
  /** Files next to the document, by their new paths. */
  readonly files: ImportedFiles;
  /** Paths of the files that were used. */
  readonly used: ReadonlySet<string>;
  /** Paths of files that a step runs, although they contain neither a tool nor a network. */
  readonly ran: ReadonlySet<string>;
  /** References to files that the import does not contain. */
  readonly missing: readonly string[];
}

/**
 * Collects the files that a document refers to, directly or through imports. Files below its folder keep their paths,
 * so most texts stay as they are; others go to `files/`.
 */
export function gatherFiles(
  document: { readonly path: string; readonly text: string },
  options: GatherOptions,
): Gathered {
  const gathering = new Gathering(document.path, options);
  const text = gathering.edit(document.path, document.text, `${options.place}/document.cwl`);
  return { text, ...gathering.result() };
}

/** Adds the tests or examples of a document, and the files that they refer to. */
export function gatherInputs(path: string, names: readonly string[], options: GatherOptions): Omit<Gathered, "text"> {
  const gathering = new Gathering(path, options);
  for (const name of names) gathering.add(name);
  return gathering.result();
}

class Gathering {
  readonly #folder: string;
  readonly #options: GatherOptions;
  readonly #files = new Map<string, ImportedFile>();
  readonly #used = new Set<string>();
  readonly #ran = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(path: string, options: GatherOptions) {
    this.#folder = posix.dirname(path);
    this.#options = options;
  }

  result(): Omit<Gathered, "text"> {
    return { files: this.#files, used: this.#used, ran: this.#ran, missing: [...this.#missing] };
  }

  /** A text with references adapted to its new path. */
  edit(path: string, text: string, place: string): string {
    return editReferences(text, uriOfFile(path), ({ field, written, target }) => {
      const fragment = fragmentOf(written);
      const run = field === "run" ? this.#options.processAt(target + fragment) : undefined;
      if (run !== undefined) return relativeReference(uriInCatalog(run), uriInCatalog(place));
      if (/\$[({]/.test(written)) return undefined;
      if (field === "run") this.#ran.add(pathOfFile(target) ?? "");
      const newPath = this.#target(target, written);
      if (newPath === undefined && MUST_EXIST.has(field) && target.startsWith("file:") && !written.startsWith("#"))
        this.#missing.add(written);
      if (newPath === undefined) return undefined;
      const address = uriInCatalog(`${this.#options.place}/${newPath}`);
      const isRight = URL.parse(withoutFragment(written), uriInCatalog(place))?.href === address;
      return isRight ? undefined : relativeReference(address, uriInCatalog(place)) + fragment;
    });
  }

  /** Collects the target of a reference and returns its new path; undefined if the target is not in the import. */
  #target(target: string, written: string): string | undefined {
    const path = pathOfFile(target)?.replace(/\/+$/, "");
    if (path === undefined || written.startsWith("#")) return undefined;
    if (this.#options.files.has(path)) return this.add(path);
    const below = this.#options.below(path);
    for (const name of below) this.add(name);
    return below.length === 0 ? undefined : this.#placeOf(path);
  }

  add(path: string): string {
    const place = this.#placeOf(path);
    const file = this.#options.files.get(path);
    if (file === undefined || this.#used.has(path)) return place;
    this.#used.add(path);
    this.#files.set(place, file);
    const text = /\.(?:cwl|ya?ml|json)$/.test(path) ? file.content.toString("utf8") : "";
    if (referencesIn(text, uriOfFile(path)).length > 0) {
      const content = Buffer.from(this.edit(path, text, `${this.#options.place}/${place}`));
      this.#files.set(place, { ...file, content });
    }
    return place;
  }

  #placeOf(path: string): string {
    const own = posix.relative(this.#folder, path);
    return own.startsWith("../") || pathProblem(own) !== undefined ? `${ELSEWHERE}/${path}` : own;
  }
}
