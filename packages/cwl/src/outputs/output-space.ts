/**
 * Outputs may be in the job's output folder or at the location of one of its inputs. Expressions and programs refer to files
 * by paths inside the job; this class turns the paths into URIs and resolves symbolic links. It refuses a link to any
 * other file (D12), because the result would depend on something outside the job.
 * CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
import type { StagingEntry } from "../model/job-plan.ts";
import { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess } from "../files/file-access.ts";
import { replaceFiles } from "../files/staging/plan-staging.ts";
import { isWithin, joinUri, pathOfUri } from "../values/file-uri.ts";
import type { CwlObject, FileOrDirectory } from "../model/cwl-value.ts";
import { toJobPath, type JobPath } from "../model/safe-name.ts";

interface SpaceOptions {
  readonly files: FileAccess;
  readonly outdirUri: string;
  /** The path of the output folder inside the job. */
  readonly outdir: string;
  /** The inputs that the job's expressions saw, with `path`. */
  readonly inputs: CwlObject;
  readonly staging?: readonly StagingEntry[];
}

export class OutputSpace {
  readonly #options: SpaceOptions;
  /** URIs of staged inputs, by path inside the job. */
  readonly #staged = new Map<string, string>();
  readonly #sources = new Set<string>();
  /** Resolved locations by URI: a match is resolved when it is found, and again when it is described. */
  readonly #resolved = new Map<string, string>();
  #realOutdir: Promise<string | undefined> | undefined;
  #realSources: Promise<readonly (readonly [real: string, source: string])[]> | undefined;

  constructor(options: SpaceOptions) {
    this.#options = options;
    replaceFiles(options.inputs, (value) => {
      this.#record(value);
      return value;
    });
    for (const entry of options.staging ?? []) {
      if (entry.kind === "link" || entry.kind === "copy") this.#sources.add(entry.source);
    }
  }

  #record(value: FileOrDirectory): void {
    const { path, location } = value;
    if (location !== undefined) {
      this.#sources.add(location);
      if (path !== undefined) this.#staged.set(path, location);
    }
    const members = (value.class === "File" ? value.secondaryFiles : value.listing) ?? [];
    for (const member of members) this.#record(member);
  }

  /** The path inside the job for a path in the output folder; undefined if it is not a valid path. */
  pathOf(relativePath: string): JobPath | undefined {
    return toJobPath(`${this.#options.outdir}/${relativePath}`);
  }

  /** The URI for a path that the job wrote; undefined if the job may not refer to this path. */
  uriOfPath(path: string): string | undefined {
    const { outdir, outdirUri } = this.#options;
    const absolute = toJobPath(path.startsWith("/") ? path : `${outdir}/${path}`);
    if (absolute === undefined) return undefined;
    // The output folder comes first, because the job may have changed an input that was staged there.
    if (absolute === outdir) return outdirUri;
    if (absolute.startsWith(`${outdir}/`)) return joinUri(outdirUri, absolute.slice(outdir.length + 1));
    for (let folder: string = absolute; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const base = this.#staged.get(folder);
      if (base !== undefined) return folder === absolute ? base : joinUri(base, absolute.slice(folder.length + 1));
    }
    return undefined;
  }

  /** Like `uriOfPath`, for a location: that of an input or output, or an IRI relative to the output folder. */
  uriOfLocation(location: string): string | undefined {
    if (isWithin(location, this.#options.outdirUri)) return location;
    if ([...this.#sources].some((source) => isWithin(location, source))) return location;
    const isElsewhere = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(location);
    return isElsewhere ? undefined : this.uriOfPath(pathOfUri(location));
  }

  /** Follows symbolic links; rejects with OUTPUT_INVALID if outputs may not be at the target. */
  async resolveLinks(uri: string, place: string): Promise<string> {
    const location = this.#resolved.get(uri) ?? (await this.#resolve(uri, place));
    this.#resolved.set(uri, location);
    return location;
  }

  async #resolve(uri: string, place: string): Promise<string> {
    const { outdirUri, files } = this.#options;
    const real = await files.realUri(uri);
    const name = `\`${this.#shown(uri)}\``;
    if (real === undefined)
      throw new CwlFailure("OUTPUT_INVALID", `${name} is a link to something that does not exist`, { place });
    this.#realOutdir ??= files.realUri(outdirUri);
    const realOutdir = (await this.#realOutdir) ?? outdirUri;
    if (isWithin(real, realOutdir)) return rebase(real, realOutdir, outdirUri);
    for (const [realSource, source] of await this.#realOfSources())
      if (isWithin(real, realSource)) return rebase(real, realSource, source);
    throw new CwlFailure(
      "OUTPUT_INVALID",
      `${name} is a link that leads out of the output folder, to \`${pathOfUri(real)}\``,
      {
        place,
        hint: "copy the file into the output folder instead of linking to it",
      },
    );
  }

  #realOfSources(): Promise<readonly (readonly [string, string])[]> {
    this.#realSources ??= this.#resolveSources();
    return this.#realSources;
  }

  async #resolveSources(): Promise<readonly (readonly [string, string])[]> {
    const resolved: (readonly [string, string])[] = [];
    for (const source of this.#sources) {
      const real = await this.#options.files.realUri(source);
      if (real !== undefined) resolved.push([real, source]);
    }
    return resolved;
  }

  #shown(uri: string): string {
    const { outdirUri } = this.#options;
    return isWithin(uri, outdirUri) ? pathOfUri(uri).slice(pathOfUri(outdirUri).length + 1) : pathOfUri(uri);
  }
}

function rebase(uri: string, from: string, to: string): string {
  const rest = pathOfUri(uri).slice(pathOfUri(from).length + 1);
  return rest === "" ? to : joinUri(to, rest);
}
