import { pathToUri } from "@weft/cwl/values/file-uri.ts";

/**
 * URLs in the log and in answers do not depend on where folders are: a file below a known root becomes
 * `weft-data://<root>/<path>`. The root `runs` contains the folders of runs, `uploads` the uploads, and `catalog` the
 * catalog; the others are the configured data folders. Every other URL stays a `file:` URL.
 */
export class PortableUris {
  readonly #roots: readonly { readonly name: string; readonly prefix: string }[];

  /** Folders are absolute, real paths; if they are nested, the innermost one wins. */
  constructor(folders: Readonly<Record<string, string>>) {
    this.#roots = Object.entries(folders)
      .map(([name, folder]) => ({ name, prefix: `${pathToUri(folder).replace(/\/$/, "")}/` }))
      .sort((a, b) => b.prefix.length - a.prefix.length);
  }

  toPortable(uri: string): string {
    const root = this.#roots.find((candidate) => uri.startsWith(candidate.prefix));
    return root === undefined ? uri : `weft-data://${root.name}/${uri.slice(root.prefix.length)}`;
  }

  /** The `file:` URL of a portable one; undefined below a root that is not configured. */
  toFile(uri: string): string | undefined {
    const parts = /^weft-data:\/\/([^/]*)\/?(.*)$/s.exec(uri);
    if (parts === null) return uri;
    const root = this.#roots.find((candidate) => candidate.name === parts[1]);
    return root === undefined ? undefined : root.prefix + (parts[2] ?? "");
  }
}
