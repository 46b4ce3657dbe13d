import type { ArchiveEntry } from "../../archive/zip-archive.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { basename, dirname } from "node:path";
import { relativeUri } from "@weft/cwl/values/file-uri.ts";
import { mediaTypeOf } from "@weft/shared/media-type-of.ts";
import type { OpenFolder } from "../../files/beneath/open-folder.ts";
import { runLater } from "../../files/beneath/steps.ts";
import type { FileRow } from "../../journal/rows.ts";
import { contentAt, UNKNOWN_CONTENT, type Content } from "./content-at.ts";
import { idPart, refs, type CrateGraph } from "./crate-graph.ts";
import { CratePaths, within } from "./crate-paths.ts";

/** A part of a crate besides its metadata. Names are relative, with `/` between folders, and unique. */
export type CratePart = Extract<ArchiveEntry, { readonly kind: "text" | "file" | "folder" }>;

export interface CrateFilesOptions {
  readonly graph: CrateGraph;
  /** Portable URL of the folder with the run's outputs, with a trailing slash. */
  readonly outputsUri: string;
  /** The real path for a portable URL; undefined if it is not on this machine or must not be disclosed. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
  readonly reach: Reach;
}

interface Known {
  readonly id: string;
  /** FormalParameters that have the entity as their value. */
  readonly parameters: Set<string>;
}

/**
 * The files and folders of a run as data entities. Each location is one entity, whatever its content: equal files of
 * two jobs stay separate, or the crate would say that one made the other. The published copy of a job's output is the
 * same entity. Local files become payload; all others keep their URL.
 */
export class CrateFiles {
  readonly #options: CrateFilesOptions;
  readonly #paths = new CratePaths();
  readonly #known = new Map<string, Known>();
  /** Location of a job's output → location of its published copy. */
  readonly #published = new Map<string, string>();
  readonly #contents = new Map<string, Content>();
  readonly #folders = new Map<string, string>();
  readonly #parts: CratePart[] = [];
  /** Names of payload files by their location. */
  readonly #names = new Map<string, string>();
  readonly #finish: (() => void)[] = [];

  constructor(options: CrateFilesOptions) {
    this.#options = options;
  }

  /** The recorded location of each payload file, one per line: `{name, uri}`. */
  get addressLines(): string {
    return [...this.#names].map(([uri, name]) => `${JSON.stringify({ name, uri })}\n`).join("");
  }

  /** The name of the payload file for a location. */
  nameOf(uri: string): string | undefined {
    return this.#names.get(uri);
  }

  /**
   * The path in the crate of a recorded file or folder, without a trailing slash; undefined if it is not part of the
   * crate.
   */
  placeOf(uri: string): string | undefined {
    const published = this.#published.get(uri) ?? uri;
    const base = `${published.replace(/\/$/, "")}/`;
    return (this.#names.get(published) ?? this.#names.get(base))?.replace(/\/$/, "");
  }

  /** Adds a file or folder if it can be read. Returns its path in the crate. */
  async bring(row: FileRow): Promise<string | undefined> {
    if (this.placeOf(row.uri) === undefined && (await this.#options.resolve(row.uri)) !== undefined)
      await this.add(row, undefined);
    return this.placeOf(row.uri);
  }

  /** Ids of the parameters that have a file or folder as their value. */
  get parameters(): ReadonlySet<string> {
    return new Set([...this.#known.values()].flatMap(({ parameters }) => [...parameters]));
  }

  /** Payload, in order of discovery; a folder precedes its content. */
  get parts(): readonly CratePart[] {
    return this.#parts;
  }

  /** Announces every file before the first one is added. */
  note(rows: readonly FileRow[]): void {
    for (const row of rows) {
      const { jobId, direction, uri, sourceUri } = row;
      if (row.sha256 !== null) this.#contents.set(uri, row);
      if (jobId === null && direction === "output" && sourceUri !== null && !this.#published.has(sourceUri))
        this.#published.set(sourceUri, uri);
    }
  }

  /**
   * The id of the entity of a file or folder; creates a new entity if needed. `parameter`: the parameter that it is a
   * value of. `primary`: the location of its primary file if it is a secondary file; they must be neighbors.
   */
  async add(row: FileRow, parameter: string | undefined, primary?: string): Promise<string> {
    const uri = this.#published.get(row.uri) ?? row.uri;
    const known = this.#known.get(uri) ?? (await this.#describe(row, uri, primary));
    if (parameter !== undefined) known.parameters.add(parameter);
    return known.id;
  }

  /** Adds the entities to the graph after the last file. Returns the ids of those that are data of the crate. */
  close(): readonly string[] {
    for (const finish of this.#finish) finish();
    return [...this.#known.values()].map(({ id }) => id);
  }

  async #describe(row: FileRow, uri: string, primary: string | undefined): Promise<Known> {
    const path = await this.#options.resolve(uri);
    const id = path === undefined ? uri : idPart(this.#pathOf(row, uri, primary));
    const known = { id: row.class === "File" ? id : `${id.replace(/\/$/, "")}/`, parameters: new Set<string>() };
    this.#known.set(uri, known);
    if (row.class === "File") await this.#describeFile({ ...row, uri }, path, known);
    else await this.#describeFolder({ ...row, uri }, path, known);
    return known;
  }

  async #describeFile(row: FileRow, path: string | undefined, { id, parameters }: Known): Promise<void> {
    const content = path === undefined ? row : await contentAt(path, row, this.#options.reach);
    if (path !== undefined) {
      const name = decodeURIComponent(id);
      this.#parts.push({ kind: "file", name, open: () => runLater(this.#options.reach.openFile(path)) });
      this.#names.set(row.uri, name);
    }
    this.#finish.push(() =>
      this.#options.graph.add({
        "@id": id,
        "@type": "File",
        name: row.name,
        ...factsOf(content, row.name),
        exampleOfWork: refs([...parameters]),
        ...(path === undefined ? { description: NOT_HERE } : {}),
      }),
    );
  }

  /** A folder consists of all its content. An empty folder within it is an entity too. */
  async #describeFolder(row: FileRow, path: string | undefined, { id, parameters }: Known): Promise<void> {
    const base = `${row.uri.replace(/\/$/, "")}/`;
    if (path !== undefined) {
      const name = decodeURIComponent(id);
      this.#folders.set(base, name);
      this.#parts.push({ kind: "folder", name });
      this.#names.set(base, name);
    }
    const members: string[] = [];
    for (const name of path === undefined ? [] : await contentBelow(path, this.#options.reach)) {
      const uri = base + relativeUri(name.replace(/\/$/, ""));
      const member = {
        ...row,
        ...(this.#contents.get(uri) ?? UNKNOWN_CONTENT),
        class: name.endsWith("/") ? ("Directory" as const) : ("File" as const),
        name: basename(name),
        uri,
      };
      members.push(await this.add(member, undefined));
    }
    this.#finish.push(() =>
      this.#options.graph.add({
        "@id": id,
        "@type": "Dataset",
        name: row.name,
        hasPart: refs(members),
        exampleOfWork: refs([...parameters]),
        ...(path === undefined ? { description: NOT_HERE } : {}),
      }),
    );
  }

  #pathOf(row: FileRow, uri: string, primary = ""): string {
    for (const [base, folder] of this.#folders)
      if (uri.startsWith(base)) return within(folder + decodeURIComponent(uri.slice(base.length)));
    const { outputsUri } = this.#options;
    if (uri.startsWith(outputsUri))
      return this.#paths.take("outputs", decodeURIComponent(uri.slice(outputsUri.length)));
    const neighbor = this.#names.get(this.#published.get(primary) ?? primary);
    if (neighbor !== undefined) return this.#paths.take(dirname(neighbor), row.name || basename(uri));
    const isMade = row.direction === "output" && row.jobId !== null;
    return this.#paths.take(isMade ? `intermediate/${row.jobId}` : `inputs/${row.port}`, row.name || basename(uri));
  }
}

const NOT_HERE = "Not in this crate: see its URL; it may no longer exist.";

export function factsOf({ checksum, sha256, size }: Content, name: string) {
  return {
    encodingFormat: mediaTypeOf(name).split(";")[0],
    ...(size === null ? {} : { contentSize: String(size) }),
    ...(checksum === null ? {} : { sha1: checksum.replace(/^sha1\$/, "") }),
    ...(sha256 === null ? {} : { sha256 }),
  };
}

/** Relative paths of the regular files and, with a trailing slash, of the empty folders below a folder; skips links. */
async function contentBelow(folder: string, reach: Reach): Promise<readonly string[]> {
  const found: string[] = [];
  const add = async (inner: OpenFolder, prefix: string): Promise<void> => {
    const entries = await runLater(inner.entries());
    if (entries.length === 0 && prefix !== "") found.push(prefix);
    for (const entry of entries) {
      if (entry.isFile()) found.push(prefix + entry.name);
      if (!entry.isDirectory()) continue;
      using deeper = await runLater(inner.folder(entry.name));
      await add(deeper, `${prefix}${entry.name}/`);
    }
  };
  using opened = await runLater(reach.openFolder(folder));
  await add(opened, "");
  return found.sort();
}
