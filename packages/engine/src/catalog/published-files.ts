import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveReference } from "@weft/cwl/values/resolve-reference.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { isBelow } from "../files/is-below.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import type { PublishedFile } from "../port/engine.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import { portableValue } from "./present-parameters.ts";
import type { CatalogEntry } from "./catalog-entry.ts";

const MAX_FILES = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Folder of the files that an entry refers to outside its own folder. */
const ELSEWHERE = "catalog";

type Fields = Readonly<Record<string, unknown>>;

/** The part of an entry that is published. */
export type Publishable = Pick<CatalogEntry, "uri" | "packed" | "examples"> & {
  readonly place: Pick<CatalogEntry["place"], "kind" | "id">;
};

/**
 * The files that another program needs to run an entry: its packed document at the top, and below it every file of the
 * catalog that the document refers to. References that climb out of the entry's folder lead to `catalog/` instead, so
 * that they resolve at any address. A file outside the catalog, or one that is missing, is not published and its
 * reference stays.
 */
export async function publishedFiles(
  entry: Publishable,
  { root, uris }: { readonly root: string; readonly uris: PortableUris },
): Promise<readonly PublishedFile[]> {
  const { id, kind } = entry.place;
  if (entry.packed === undefined)
    throw new Refusal("invalid-document", `The ${kind} "${id}" cannot be packed: its document has errors.`);
  const helpers = new Helpers(entry, root);
  const document = await helpers.collect(parseExactJson(entry.packed));
  const text = JSON.stringify(document);
  return [
    { path: `${id}.cwl`, kind: "primary", read: async () => Buffer.from(text) },
    ...helpers.files,
    ...examplesOf(entry, uris),
  ];
}

function examplesOf({ examples }: Publishable, uris: PortableUris): PublishedFile[] {
  return examples.map(({ name, inputs }) => {
    const values = Object.entries(inputs).map(([input, value]) => [input, portableValue(value, uris)] as const);
    const text = JSON.stringify(Object.fromEntries(values), undefined, 2);
    return { path: `examples/${name}.json`, kind: "example", read: async () => Buffer.from(text) };
  });
}

class Helpers {
  readonly #folder: string;
  readonly #uri: string;
  readonly #root: string;
  readonly #reach: Reach;
  readonly #found = new Map<string, PublishedFile>();
  #bytes = 0;

  constructor({ uri }: Publishable, root: string) {
    this.#uri = uri;
    this.#folder = dirname(fileURLToPath(uri));
    this.#root = root;
    this.#reach = new Reach({ regions: [{ folder: root }] });
  }

  get files(): readonly PublishedFile[] {
    return [...this.#found.values()];
  }

  /** A copy of the document in which every reference leads to a published file. */
  async collect(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Array.fromAsync(value, (item) => this.collect(item));
    if (typeof value !== "object" || value === null) return value;
    const fields: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value))
      fields[name] = name === "$schemas" ? await this.#collectSchemas(field) : await this.collect(field);
    const { class: type, location } = fields;
    if (typeof location !== "string") return fields;
    if (type === "File") return { ...fields, location: (await this.#add(location)) ?? location };
    return type === "Directory" ? this.#collectFolder(fields, location) : fields;
  }

  async #collectSchemas(schemas: unknown): Promise<unknown> {
    if (!Array.isArray(schemas)) return schemas;
    return Array.fromAsync(schemas, async (uri) => (typeof uri === "string" ? ((await this.#add(uri)) ?? uri) : uri));
  }

  /** Web servers do not list folders, so the document itself must name their contents. */
  async #collectFolder(fields: Fields, location: string): Promise<Fields> {
    const path = this.#pathOf(location);
    if (path === undefined || fields["listing"] !== undefined) return fields;
    const listing = await this.#list(path);
    if (listing === undefined) return fields;
    const { location: _location, ...rest } = fields;
    return { basename: basename(path), ...rest, listing };
  }

  async #list(path: string): Promise<readonly Fields[] | undefined> {
    const found = await this.#ifReadable(runLater(this.#reach.list(path)));
    if (found === undefined) return undefined;
    const entries = found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const listing: Fields[] = [];
    for (const { name, stats } of entries) {
      const inner = join(path, name);
      if (stats?.isDirectory()) listing.push({ class: "Directory", basename: name, listing: await this.#list(inner) });
      else if (stats?.isFile()) listing.push({ class: "File", basename: name, location: await this.#publish(inner) });
    }
    return listing;
  }

  async #add(location: string): Promise<string | undefined> {
    const path = this.#pathOf(location);
    return path === undefined ? undefined : this.#publish(path);
  }

  /** The catalog path of a location; undefined for http(s) URLs and files outside the catalog. */
  #pathOf(location: string): string | undefined {
    const uri = resolveReference(location, this.#uri);
    if (uri?.startsWith("file:///") !== true) return undefined;
    const path = fileURLToPath(uri.split("#")[0] ?? uri);
    return isBelow(path, this.#root) ? path : undefined;
  }

  /** The reference to a file, once it is published. */
  async #publish(path: string): Promise<string | undefined> {
    const name = isBelow(path, this.#folder)
      ? relative(this.#folder, path)
      : join(ELSEWHERE, relative(this.#root, path));
    const reference = name.split("/").map(encodeURIComponent).join("/");
    if (this.#found.has(name)) return reference;
    const file = await this.#ifReadable(runLater(this.#reach.openFile(path)));
    if (file === undefined) return undefined;
    using opened = file;
    const { size } = opened.stats;
    this.#bytes += size;
    if (this.#bytes > MAX_BYTES || this.#found.size >= MAX_FILES)
      throw new Refusal("invalid-document", `The document refers to more than ${MAX_FILES} files or 64 MiB.`);
    this.#found.set(name, { path: name, kind: "helper", read: () => this.#read(path, size) });
    return reference;
  }

  /** Reads only the bytes that are sent. Refuses a file that has grown since its size was counted. */
  async #read(path: string, size: number): Promise<Buffer> {
    using file = await runLater(this.#reach.openFile(path));
    if (file.stats.size > size) throw new Refusal("conflict", "A file of the catalog has just changed. Try again.");
    return file.readAll();
  }

  async #ifReadable<Value>(reading: Promise<Value>): Promise<Value | undefined> {
    try {
      return await reading.catch(undefinedIfMissing);
    } catch (error) {
      if (error instanceof OutOfReach) return undefined;
      throw error;
    }
  }
}
