import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { absent } from "./absent.ts";
import { isBelow } from "./is-below.ts";
import { PortableUris } from "./portable-uri.ts";

export type RootedPath =
  | { readonly kind: "found"; readonly path: string; readonly uri: string }
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string; readonly hint: string };

/**
 * The one place where an address from outside becomes a path (DESIGN, invariant 6): decoded once, resolved with every
 * symbolic link, and checked to lie below one of the allowed folders.
 */
export class AllowedRoots {
  readonly #folders: ReadonlyMap<string, string>;
  readonly #real = new Map<string, string>();
  readonly uris: PortableUris;

  /** Name → absolute path. */
  constructor(folders: Readonly<Record<string, string>>) {
    this.#folders = new Map(Object.entries(folders));
    this.uris = new PortableUris(folders);
  }

  get names(): readonly string[] {
    return [...this.#folders.keys()];
  }

  folder(name: string): string | undefined {
    return this.#folders.get(name);
  }

  /** `location` is a `weft-data:` or `file:` address or an absolute path. */
  async resolve(location: string): Promise<RootedPath> {
    const path = this.#pathOf(location);
    if (typeof path !== "string") return path;
    const real = await realpath(path).catch(absent);
    const below = await this.#isBelowARoot(real ?? path);
    if (!below) return refused(location);
    return real === undefined
      ? { kind: "missing", message: `nothing is at ${location}` }
      : { kind: "found", path, uri: pathToFileURL(path).href };
  }

  /** The way from a root to a path, links resolved: empty for the root itself; undefined where it lies elsewhere. */
  async wayWithin(name: string, path: string): Promise<string | undefined> {
    const root = await this.#realFolder(this.#folders.get(name));
    const real = await realpath(path).catch(absent);
    return root !== undefined && real !== undefined && isBelow(real, root) ? relative(root, real) : undefined;
  }

  /** Whether a root lies at a path or below it. */
  async holds(path: string, name: string): Promise<boolean> {
    const root = await this.#realFolder(this.#folders.get(name));
    const real = await realpath(path).catch(absent);
    return root !== undefined && real !== undefined && isBelow(root, real);
  }

  #pathOf(location: string): string | RootedPath {
    const uri = isAbsolute(location) ? pathToFileURL(location).href : this.uris.toFile(location);
    if (uri === undefined)
      return { kind: "refused", message: `no data folder is called ${hostOf(location)}`, hint: this.#hint() };
    if (!uri.startsWith("file:")) {
      return {
        kind: "refused",
        message: `cannot read ${location}`,
        hint: "give a file of a data folder, or upload it",
      };
    }
    if (/%2f|%5c|%00/i.test(uri))
      return { kind: "refused", message: `${location} is not a plain address of a file`, hint: this.#hint() };
    return (
      parsePath(uri) ?? { kind: "refused", message: `${location} is not an address of a file`, hint: this.#hint() }
    );
  }

  async #isBelowARoot(path: string): Promise<boolean> {
    for (const folder of this.#folders.values()) {
      const root = await this.#realFolder(folder);
      if (root !== undefined && isBelow(path, root)) return true;
    }
    return false;
  }

  async #realFolder(folder: string | undefined): Promise<string | undefined> {
    if (folder === undefined) return undefined;
    const root = this.#real.get(folder) ?? (await realpath(folder).catch(absent));
    if (root !== undefined) this.#real.set(folder, root);
    return root;
  }

  #hint(): string {
    return `files may come from ${this.names.map((name) => `weft-data://${name}/`).join(", ")}, or be uploaded; start the server with --data NAME=DIR for another folder`;
  }
}

function refused(location: string): RootedPath {
  return {
    kind: "refused",
    message: `${location} lies outside the folders that this server may read`,
    hint: "upload the file, or start the server with --data NAME=DIR for its folder",
  };
}

function parsePath(uri: string): string | undefined {
  return URL.canParse(uri) && new URL(uri).host === "" && isDecodable(uri) ? fileURLToPath(uri) : undefined;
}

/** Escapes may be broken off, or make bytes that are no UTF-8. */
function isDecodable(uri: string): boolean {
  try {
    decodeURIComponent(uri);
    return true;
  } catch {
    return false;
  }
}

function hostOf(location: string): string {
  return /^weft-data:\/\/([^/]*)/.exec(location)?.[1] ?? location;
}
