import { decodeEscapes } from "@weft/shared/text/decode-escapes.ts";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { PortableUris } from "../files/portable-uri.ts";

export type RootedPath =
  | {
      readonly kind: "found";
      /** The address exactly as the caller wrote it. */
      readonly path: string;
      /** The path with all links resolved. */
      readonly realPath: string;
      readonly uri: string;
    }
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string; readonly hint: string };

/**
 * Resolves all links in a path within the caller's reach. Returns undefined if nothing exists there; rejects with
 * OutOfReach.
 */
export type RealPathOf = (path: string) => Promise<string | undefined>;

/**
 * The only code that turns an address from outside into a path. It decodes the address once, resolves links one by
 * one, and checks each against the caller's reach.
 */
export class AllowedRoots {
  readonly #folders: ReadonlyMap<string, string>;
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
  async resolve(location: string, realPathOf: RealPathOf): Promise<RootedPath> {
    const path = this.#pathOf(location);
    if (typeof path !== "string") return path;
    try {
      const realPath = await realPathOf(path);
      if (realPath === undefined) return missing(location);
      return { kind: "found", path, realPath, uri: pathToUri(path) };
    } catch (error) {
      if (!(error instanceof OutOfReach)) throw error;
      return error.isHidden ? missing(location) : refused(location);
    }
  }

  #pathOf(location: string): string | RootedPath {
    const uri = isAbsolute(location) ? pathToUri(location) : this.uris.toFile(location);
    if (uri === undefined)
      return { kind: "refused", message: `there is no data folder called ${hostOf(location)}`, hint: this.#hint() };
    if (!uri.startsWith("file:")) {
      return {
        kind: "refused",
        message: `cannot read ${location}`,
        hint: "use a file from a data folder, or upload it",
      };
    }
    if (/%2f|%5c|%00/i.test(uri))
      return { kind: "refused", message: `${location} is not a plain file URL`, hint: this.#hint() };
    return parsePath(uri) ?? { kind: "refused", message: `${location} is not a file URL`, hint: this.#hint() };
  }

  #hint(): string {
    return `use a file below ${this.names.map((name) => `weft-data://${name}/`).join(", ")}, or upload it; the operator adds folders with --data NAME=DIR`;
  }
}

function missing(location: string): RootedPath {
  return { kind: "missing", message: `file not found: ${location}` };
}

function refused(location: string): RootedPath {
  return {
    kind: "refused",
    message: `${location} is outside the folders that this server may read`,
    hint: "upload the file, or ask the operator to add its folder (--data NAME=DIR)",
  };
}

function parsePath(written: string): string | undefined {
  // The URL parser drops spaces and control characters at the ends, which would name another file.
  const uri = written.replace(/[\0-\x20]/g, encodeURIComponent);
  const isPath = URL.canParse(uri) && new URL(uri).host === "" && decodeEscapes(uri) !== undefined;
  return isPath ? fileURLToPath(uri) : undefined;
}

function hostOf(location: string): string {
  return /^weft-data:\/\/([^/]*)/.exec(location)?.[1] ?? location;
}
