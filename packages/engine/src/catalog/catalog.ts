import type { Process } from "@weft/cwl/model/process.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { diskReader } from "../files/disk-reader.ts";
import { textDigest } from "../files/hash-file.ts";
import { loadCatalogEntry, requireRunnable, type CatalogEntry, type RunnableEntry } from "./catalog-entry.ts";
import { scanCatalog } from "./scan-catalog.ts";
import { compare as compareSemantic, valid } from "semver";

/** A step, at any depth of a network, that runs a tool of the catalog. */
export interface ToolUse {
  readonly network: CatalogEntry;
  readonly step: string;
  readonly version: string;
}

type Shelf = ReadonlyMap<string, readonly CatalogEntry[]>;

/** Everything that the catalog folder publishes. Replaced as a whole when the folder changes. */
export class Catalog {
  readonly root: string;
  readonly ignoresContainers: boolean;
  #shelves: Readonly<Record<"tool" | "network", Shelf>> = { tool: new Map(), network: new Map() };
  #byDocument: ReadonlyMap<string, CatalogEntry> = new Map();
  #sources: ReadonlyMap<string, string> = new Map();
  #uses: ReadonlyMap<string, readonly ToolUse[]> = new Map();
  #digest = "";

  /** `root` is an absolute path. `ignoresContainers`: tools that request a container run without one. */
  constructor(root: string, ignoresContainers = false) {
    this.root = root;
    this.ignoresContainers = ignoresContainers;
  }

  /** Reads the folder; returns whether it publishes anything different from the last read. */
  async load(ignored: (path: string) => void): Promise<boolean> {
    const places = await scanCatalog(this.root, ignored);
    const surroundings = { root: this.root, reader: diskReader, ignoresContainers: this.ignoresContainers };
    const entries = await Promise.all(places.map((place) => loadCatalogEntry(place, surroundings)));
    this.#shelves = { tool: shelve("tool", entries), network: shelve("network", entries) };
    this.#byDocument = new Map(entries.map((entry) => [entry.uri, entry]));
    this.#sources = new Map(entries.flatMap(({ sources }) => sources.map(({ file, text }) => [file, text] as const)));
    this.#uses = findUses(entries, this.#byDocument);
    const before = this.#digest;
    this.#digest = digestOfEntries(entries);
    return this.#digest !== before;
  }

  /** A digest of the whole catalog. */
  get digest(): string {
    return this.#digest;
  }

  get counts(): { readonly tools: number; readonly networks: number } {
    return { tools: this.#shelves.tool.size, networks: this.#shelves.network.size };
  }

  /** Sorted ids, each with its versions, newest first. */
  all(kind: "tool" | "network"): readonly (readonly [string, readonly CatalogEntry[]])[] {
    return [...this.#shelves[kind]];
  }

  /** All versions, newest first. Refuses an unknown id. */
  versions(kind: "tool" | "network", id: string): readonly CatalogEntry[] {
    const versions = this.#shelves[kind].get(id);
    if (versions !== undefined) return versions;
    throw new Refusal(kind === "tool" ? "tool-not-found" : "network-not-found", `The catalog has no ${kind} "${id}".`);
  }

  /** All versions, newest first; none for an unknown id. */
  knownVersions(kind: "tool" | "network", id: string): readonly CatalogEntry[] {
    return this.#shelves[kind].get(id) ?? [];
  }

  /** The published version, if the catalog has it. `unversioned`: the network without versions. */
  findPublished(kind: "tool" | "network", id: string, version: string): CatalogEntry | undefined {
    return this.knownVersions(kind, id).find(({ place }) => (place.version ?? UNVERSIONED) === version);
  }

  /** The text of a document, or of a file that one includes, by its path below the root. */
  sourceText(path: string): string | undefined {
    return this.#sources.get(path);
  }

  /** Paths of all texts that `sourceText` has. */
  sourcePaths(): string[] {
    return [...this.#sources.keys()].sort();
  }

  /** The given version, or the newest that is not deprecated. */
  find(kind: "tool" | "network", id: string, version: string | undefined): CatalogEntry {
    const versions = this.versions(kind, id);
    const found = version === undefined ? newestOf(versions) : this.findPublished(kind, id, version);
    if (found !== undefined) return found;
    const known = versions.map(({ place }) => place.version ?? UNVERSIONED).join(", ");
    throw new Refusal("version-not-found", `The ${kind} "${id}" has no version "${version}"; it has ${known}.`);
  }

  /** The newest version that is not deprecated; undefined if the catalog has none with this id. */
  newest(kind: "tool" | "network", id: string): CatalogEntry | undefined {
    return newestOf(this.knownVersions(kind, id));
  }

  /** Like `find`, but refuses a document that has errors. */
  findRunnable(kind: "tool" | "network", id: string, version: string | undefined): CatalogEntry & RunnableEntry {
    return requireRunnable(this.find(kind, id, version), `The ${kind} "${id}"`);
  }

  /** The tool or network that publishes a process, by the URL of its document. */
  publisher(process: Process): CatalogEntry | undefined {
    return this.#byDocument.get(process.id.split("#")[0] ?? process.id);
  }

  usesOf(toolId: string): readonly ToolUse[] {
    return this.#uses.get(toolId) ?? [];
  }
}

export function newestOf<Entry extends Pick<CatalogEntry, "place">>(versions: readonly Entry[]): Entry | undefined {
  return versions.find((entry) => !entry.place.deprecated) ?? versions[0];
}

/** A digest of all entries, including labels, examples and issues, which can change without the processes. */
function digestOfEntries(entries: readonly CatalogEntry[]): string {
  const shown = entries.map(({ place, digest, issues, sources, examples, tests }) => [
    place,
    digest,
    issues,
    sources,
    examples,
    tests.map(({ name, text, issues }) => [name, text, issues]),
  ]);
  return textDigest(JSON.stringify(shown));
}

function shelve(kind: "tool" | "network", entries: readonly CatalogEntry[]): Shelf {
  const own = entries.filter(({ place }) => place.kind === kind);
  const shelf = Map.groupBy(own, ({ place }) => place.id);
  for (const versions of shelf.values())
    versions.sort((a, b) => compareVersions(b.place.version ?? "", a.place.version ?? ""));
  return new Map([...shelf].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function findUses(
  entries: readonly CatalogEntry[],
  byDocument: ReadonlyMap<string, CatalogEntry>,
): ReadonlyMap<string, readonly ToolUse[]> {
  const uses = entries.flatMap((network) => {
    if (network.process?.class !== "Workflow") return [];
    return network.process.steps.flatMap((step) => {
      const tool = byDocument.get(step.run.id.split("#")[0] ?? step.run.id);
      return tool?.place.kind === "tool"
        ? [{ tool: tool.place.id, use: { network, step: step.id, version: tool.place.version ?? "" } }]
        : [];
    });
  });
  const grouped = Map.groupBy(uses, ({ tool }) => tool);
  return new Map([...grouped].map(([tool, found]) => [tool, found.map(({ use }) => use)]));
}

/** Compares versions, oldest first: semantically if both are valid, otherwise in natural order (`0.10` after `0.9`). */
export function compareVersions(a: string, b: string): number {
  if (valid(a) !== null && valid(b) !== null) return compareSemantic(a, b) || compareNaturally(a, b);
  return compareNaturally(a, b);
}

function compareNaturally(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = comparePart(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return a < b ? -1 : Number(a > b);
}

function parts(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function comparePart(a: string, b: string): number {
  if (/^\d/.test(a) && /^\d/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : Number(a > b);
}
