import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { basename } from "node:path";
import { relativeUri } from "@weft/cwl/values/file-uri.ts";
import { CratePaths, within } from "../crate/crate-paths.ts";

/**
 * Maps the files of an imported run to paths below its folder, as for a run of this server. URLs of the other server
 * are always replaced, because here they may refer to something else; http(s) URLs remain. Files that come with the
 * document keep their path relative to it.
 */
export class Relocation {
  /** The run's own files: `…/<id>/jobs/…` and `…/<id>/outputs/…`, whatever precedes them. */
  readonly #own: RegExp;
  readonly #base: string;
  readonly #known = new Map<string, string>();
  readonly #folders: { readonly from: string; readonly to: string }[] = [];
  readonly #paths = new CratePaths();

  constructor({ from, to }: { readonly from: string; readonly to: string }) {
    this.#own = new RegExp(`/${from}/((?:jobs|outputs)/.+)$`, "s");
    this.#base = `weft-data://runs/${to}/`;
  }

  /** The local URL. Report a folder before its content, so that the content stays in it. */
  uri(from: string, side: "inputs" | "outputs", isFolder = false): string {
    if (/^(https?|data):/i.test(from)) return from;
    const known = this.#known.get(from) ?? this.#address(from, side);
    this.#known.set(from, known);
    if (isFolder) this.#folders.push({ from: `${from.replace(/\/$/, "")}/`, to: `${known.replace(/\/$/, "")}/` });
    return known;
  }

  /** The new URL of the document or of a file that it names; relative references between them stay valid. */
  besideDocumentUri(from: string): string {
    if (this.#own.test(from)) return this.uri(from, "inputs");
    const known = this.#known.get(from) ?? this.#base + relativeUri(mirroredPath(from));
    this.#known.set(from, known);
    return known;
  }

  /** Relative to the run's folder; undefined for a URL elsewhere. */
  pathOf(uri: string): string | undefined {
    return uri.startsWith(this.#base) ? decoded(uri.slice(this.#base.length)) : undefined;
  }

  #address(from: string, side: "inputs" | "outputs"): string {
    const own = this.#own.exec(from)?.[1];
    if (own !== undefined) return this.#base + relativeUri(within(decoded(own)));
    const folder = this.#folders.find((candidate) => from.startsWith(candidate.from));
    if (folder !== undefined) return folder.to + relativeUri(within(decoded(from.slice(folder.from.length))));
    const name = basename(decoded(from).replace(/\/$/, "")) || "file";
    return this.#base + relativeUri(this.#paths.take(side, name));
  }
}

/** `weft-data://catalog/tools/a/a.sh` → `document/catalog/tools/a/a.sh`; `file:` URLs get a root of that name. */
function mirroredPath(uri: string): string {
  const path = decoded(uri.replace(/#.*$/s, ""))
    .replace(/^weft-data:\/\//, "")
    .replace(/^file:\/\//, "disk/");
  return within(`document/${path}`) || "document/file";
}
