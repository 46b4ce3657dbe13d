import { visibleOwner } from "../access/visible-runs.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { OLDEST, zipArchive } from "../archive/zip-archive.ts";
import type { Caller } from "../port/caller.ts";
import type { CatalogIndexEntry, EngineCatalog, PublishedFile } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { newestOf, type Catalog } from "./catalog.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { entryUrl, presentNetworkSummary, presentToolSummary, type PresentContext } from "./present-entry.ts";
import { publishedFiles } from "./published-files.ts";
import { presentNetwork } from "./present-network.ts";
import { presentTool } from "./present-tool.ts";

const PAGE_SIZE = 50;

interface ListQuery {
  readonly q?: string | undefined;
  readonly view?: "url" | undefined;
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}

interface CatalogParts {
  readonly catalog: Catalog;
  readonly journal: Pick<Journal, "read">;
  readonly uris: PortableUris;
}

/** Lists of the newest versions. */
export function catalogMethods(parts: CatalogParts): RouteMethods {
  const { catalog } = parts;
  return {
    "GET /api/networks": ({ caller, query }) => {
      const { shown, ...page } = pageOf(catalog, "network", query);
      const networks = shown.map((entry) =>
        query.view === "url"
          ? entryUrl(entry, caller.links, null)
          : presentNetworkSummary(entry, context(caller, parts)),
      );
      return { networks, ...page };
    },
    "GET /api/tools": ({ caller, query }) => {
      const { shown, ...page } = pageOf(catalog, "tool", query);
      const tools = shown.map((entry) =>
        query.view === "url" ? entryUrl(entry, caller.links, null) : presentToolSummary(entry, context(caller, parts)),
      );
      return { tools, ...page };
    },
  };
}

/** Single entries, and searches. */
export function createCatalogService(parts: CatalogParts): EngineCatalog {
  const { catalog, uris } = parts;
  return {
    index: () => [...indexOf(catalog, "network"), ...indexOf(catalog, "tool")],
    summary: (caller, { kind, id }) => {
      const entry = catalog.find(kind, id, undefined);
      return kind === "network"
        ? presentNetworkSummary(entry, context(caller, parts))
        : presentToolSummary(entry, context(caller, parts));
    },
    getNetwork: (caller, id, version) => presentNetwork(catalog.find("network", id, version), context(caller, parts)),
    getTool: (caller, id, version) => presentTool(catalog.find("tool", id, version), context(caller, parts)),
    packed(_caller, { kind, id, version }) {
      const entry = catalog.find(kind, id, version);
      if (entry.packed === undefined)
        throw new Refusal("invalid-document", `The ${kind} "${id}" cannot be packed: its document has errors.`);
      return { text: entry.packed, digest: entry.digest };
    },
    published: (_caller, { kind, id, version }) =>
      publishedFiles(catalog.find(kind, id, version), { root: catalog.root, uris }),
    publishedArchive: async (_caller, { kind, id, version }) => {
      const entry = catalog.find(kind, id, version);
      const files = await publishedFiles(entry, { root: catalog.root, uris });
      const name = `${id}-${entry.place.version ?? UNVERSIONED}.zip`;
      return { name, open: () => zipArchive(entriesOf(files), OLDEST) };
    },
  };
}

function context(caller: Caller, { catalog, journal: { read }, uris }: CatalogParts): PresentContext {
  return { catalog, read, uris, links: caller.links, owner: visibleOwner(caller) };
}

function indexOf(catalog: Catalog, kind: "network" | "tool"): readonly CatalogIndexEntry[] {
  return catalog.all(kind).flatMap(([id, versions]) => {
    const process = newestOf(versions)?.process;
    return versions.length === 0 ? [] : [{ kind, id, label: process?.label, doc: process?.doc }];
  });
}

async function* entriesOf(files: readonly PublishedFile[]) {
  for (const { path: name, read } of files) yield { kind: "bytes", name, bytes: await read() } as const;
}

function pageOf(
  catalog: Catalog,
  kind: "tool" | "network",
  query: ListQuery,
): { shown: CatalogEntry[]; total: number; next_page_token: string } {
  const size = query.page_size ?? PAGE_SIZE;
  const after = decodeToken(query.page_token, ["string"])?.[0];
  const newest = catalog.all(kind).flatMap(([, versions]) => newestOf(versions) ?? []);
  const fitting = newest.filter((entry) => matches(entry, query.q));
  const rest = after === undefined ? fitting : fitting.filter((entry) => entry.place.id > String(after));
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  return {
    shown,
    total: fitting.length,
    next_page_token: rest.length > size && last !== undefined ? encodeToken([last.place.id]) : "",
  };
}

/** True if every word of the query occurs in the id, label or description. */
function matches(entry: CatalogEntry, text: string | undefined): boolean {
  const hay = [entry.place.id, entry.process?.label, entry.process?.doc].join("\n").toLowerCase();
  return (text ?? "")
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}
