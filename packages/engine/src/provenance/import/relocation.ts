import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { CratePaths, within } from "../crate/crate-paths.ts";

/**
 * Where the files of a run from elsewhere lie here: everything below the folder of the run, at the place that a run of this
 * server would have given it. Addresses of the other server never stay what they are, because the same address may lead to
 * something else here; those of the web do. What comes with a document lies as it lay there, seen from the document.
 */
export class Relocation {
  /** What the run called its own: `…/<id>/jobs/…` and `…/<id>/outputs/…`, whatever stood before it. */
  readonly #own: RegExp;
  readonly #base: string;
  readonly #known = new Map<string, string>();
  readonly #folders: { readonly from: string; readonly to: string }[] = [];
  readonly #paths = new CratePaths();

  constructor({ from, to }: { readonly from: string; readonly to: string }) {
    this.#own = new RegExp(`/${from}/((?:jobs|outputs)/.+)$`, "s");
    this.#base = `weft-data://runs/${to}/`;
  }

  /** The address here. The first time that a folder is met it must be told, so that what is in it stays in it. */
  uri(from: string, side: "inputs" | "outputs", isFolder = false): string {
    if (/^(https?|data):/i.test(from)) return from;
    const known = this.#known.get(from) ?? this.#address(from, side);
    this.#known.set(from, known);
    if (isFolder) this.#folders.push({ from: `${from.replace(/\/$/, "")}/`, to: `${known.replace(/\/$/, "")}/` });
    return known;
  }

  /** The new address of the document or of a file that it names; relative addresses between them stay valid. */
  besideDocument(from: string): string {
    if (this.#own.test(from)) return this.uri(from, "inputs");
    const known = this.#known.get(from) ?? this.#base + encoded(mirroredPath(from));
    this.#known.set(from, known);
    return known;
  }

  /** Relative to the folder of the run; undefined for an address that does not lie there. */
  pathOf(uri: string): string | undefined {
    return uri.startsWith(this.#base) ? decoded(uri.slice(this.#base.length)) : undefined;
  }

  #address(from: string, side: "inputs" | "outputs"): string {
    const own = this.#own.exec(from)?.[1];
    if (own !== undefined) return this.#base + encoded(within(decoded(own)));
    const folder = this.#folders.find((candidate) => from.startsWith(candidate.from));
    if (folder !== undefined) return folder.to + encoded(within(decoded(from.slice(folder.from.length))));
    const name = basename(decoded(from).replace(/\/$/, "")) || "file";
    return this.#base + encoded(this.#paths.take(side, name));
  }
}

/** `weft-data://catalog/tools/a/a.sh` → `document/catalog/tools/a/a.sh`; addresses of a disk get a root of that name. */
function mirroredPath(uri: string): string {
  const path = decoded(uri.replace(/#.*$/s, ""))
    .replace(/^weft-data:\/\//, "")
    .replace(/^file:\/\//, "disk/");
  return within(`document/${path}`) || "document/file";
}

function encoded(path: string): string {
  return pathToFileURL(`/${path}`).href.slice("file:///".length);
}

/** An address that cannot be decoded is taken as it stands: it names no file of ours. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
