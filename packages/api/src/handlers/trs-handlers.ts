import { isUtf8 } from "node:buffer";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { CatalogIndexEntry, CatalogName, EngineCatalog, PublishedFile } from "@weft/engine/port/engine.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { TrsFile, TrsTool, TrsVersion } from "@weft/shared/records/trs-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import { ok, type ContentAnswer, type Handlers } from "../http/route-handler.ts";
import { answerArchive } from "../files/answer-archive.ts";
import type { ServerParts } from "./server-parts.ts";
import { hasNetwork, parseTrsId, publishedVersion, trsAliasOf } from "../ga4gh/catalog-address.ts";
import {
  presentToolFile,
  presentTrsFile,
  presentTrsTool,
  TOOL_CLASSES,
  type NamedEntry,
} from "../ga4gh/present-trs.ts";
import { serviceOf } from "../ga4gh/service.ts";

type Catalog = Pick<EngineCatalog, "getNetwork" | "getTool" | "index" | "summary" | "published" | "publishedArchive">;
type ListQuery = RouteQuery<"GET /ga4gh/trs/v2/tools">;

const LARGEST_PAGE = 1000;

interface VersionParams {
  readonly id: string;
  readonly version_id: string;
}

/** GA4GH TRS 2.0 over the catalog, read-only. */
export function createTrsHandlers({ engine }: ServerParts): Handlers {
  const { catalog } = engine;
  const { tool, version, files, folder, nameOf } = createTrsReader(catalog);
  return {
    "GET /ga4gh/trs/v2/service-info": async ({ caller }) => {
      const { version: own } = await engine.serverInfo(caller);
      return ok(serviceOf({ artifact: "trs", standardVersion: "2.0.1", version: own, links: caller.links }));
    },
    "GET /ga4gh/trs/v2/toolClasses": () => ok(Object.values(TOOL_CLASSES)),
    "GET /ga4gh/trs/v2/tools": ({ caller, query }) => listPage(catalog, query, caller),
    "GET /ga4gh/trs/v2/tools/{id}": ({ caller, params }) => ok(tool(caller, params.id)),
    "GET /ga4gh/trs/v2/tools/{id}/versions": ({ caller, params }) => ok(tool(caller, params.id).versions),
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}": ({ caller, params }) => ok(version(caller, params)),
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor": async ({ caller, params }) => {
      const [primary] = await files(caller, params);
      return fileAnswer(primary, params.type, folder(caller, params));
    },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor/{path}": async ({ caller, params }) => {
      const wanted = params.path.replace(/^(?:\.?\/)+/, "");
      const file = (await files(caller, params)).find(({ path }) => path === wanted);
      return fileAnswer(file, params.type, folder(caller, params));
    },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/tests": async ({ caller, params }) => {
      const tests = (await files(caller, params)).filter(({ kind }) => kind === "example");
      return ok(await Array.fromAsync(tests, (file) => presentTrsFile(file, folder(caller, params))));
    },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/files": async ({ caller, params, query, ctx }) => {
      if (query.format === "zip")
        return answerArchive(ctx, await catalog.publishedArchive(caller, nameOf(caller, params)));
      return ok(await Array.fromAsync(await files(caller, params), presentToolFile));
    },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile": ({ caller, params }) => {
      version(caller, params);
      throw new Refusal("not-found", "This registry has no container files");
    },
  };
}

/** Reads the catalog in the terms of TRS. Each method refuses an id or version that the catalog does not have. */
function createTrsReader(catalog: Catalog) {
  const find = (caller: Caller, trsId: string, versionId?: string): NamedEntry => {
    const { kind: given, id } = parseTrsId(trsId);
    const version = publishedVersion(versionId);
    const isNetwork = given !== "tool" && hasNetwork(catalog, caller, { id, version: undefined });
    const kind = given ?? (isNetwork ? "network" : "tool");
    const entry = kind === "network" ? catalog.getNetwork(caller, id, version) : catalog.getTool(caller, id, version);
    const isShared = kind === "tool" && hasNetwork(catalog, caller, { id, version: undefined });
    return { kind, entry, trsId: isShared ? trsAliasOf(kind, id) : id };
  };
  const tool = (caller: Caller, trsId: string): TrsTool => presentTrsTool(find(caller, trsId), caller.links);
  const version = (caller: Caller, { id, version_id }: VersionParams): TrsVersion => {
    const named = find(caller, id, version_id);
    const wanted = named.entry.version ?? UNVERSIONED;
    const found = presentTrsTool(named, caller.links).versions.find((candidate) => candidate.id === wanted);
    if (found === undefined) throw new Refusal("version-not-found", `${id} has no version ${version_id}`);
    return found;
  };
  const nameOf = (caller: Caller, { id, version_id }: VersionParams): CatalogName => {
    const { kind, entry } = find(caller, id, version_id);
    return { kind, id: entry.id, version: entry.version ?? UNVERSIONED };
  };
  const files = (caller: Caller, params: VersionParams) => catalog.published(caller, nameOf(caller, params));
  const folder = (caller: Caller, params: VersionParams & { readonly type: string }) =>
    `${version(caller, params).url}/${params.type}`;
  return { tool, version, files, folder, nameOf };
}

/** The type `PLAIN_CWL` returns the file itself. */
async function fileAnswer(
  file: PublishedFile | undefined,
  type: "CWL" | "PLAIN_CWL",
  folderUrl: string,
): Promise<ContentAnswer | { readonly status: 200; readonly body: TrsFile }> {
  if (file === undefined) throw new Refusal("file-not-found", "This version has no such file");
  if (type === "CWL") return ok(await presentTrsFile(file, folderUrl));
  const bytes = await file.read();
  const mediaType = isUtf8(bytes) ? "text/plain; charset=utf-8" : "application/octet-stream";
  return { status: 200, mediaType, content: bytes, headers: {} };
}

interface IndexEntry extends CatalogIndexEntry {
  readonly trsId: string;
}

/** Networks first, each by id. */
function indexOf(catalog: Catalog, caller: Caller): readonly IndexEntry[] {
  const entries = catalog.index(caller);
  const networks = new Set(entries.flatMap(({ kind, id }) => (kind === "network" ? [id] : [])));
  const trsId = ({ kind, id }: CatalogIndexEntry) => (kind === "tool" && networks.has(id) ? trsAliasOf(kind, id) : id);
  return entries.map((entry) => ({ ...entry, trsId: trsId(entry) }));
}

/** A page of a list, whose entries alone are presented. */
function listPage(catalog: Catalog, query: ListQuery, caller: Caller) {
  const { links } = caller;
  const { hostname } = new URL(links.base);
  const fitting = indexOf(catalog, caller).filter((entry) => fits(entry, query, hostname));
  const limit = Math.min(query.limit ?? LARGEST_PAGE, LARGEST_PAGE);
  const offset = Number(query.offset ?? 0);
  const address = (start: number) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]));
    for (const name of ["offset", "limit"]) search.delete(name);
    search.set("offset", String(start));
    search.set("limit", String(limit));
    return `${links.base}/ga4gh/trs/v2/tools?${search.toString()}`;
  };
  const last = Math.max(0, Math.floor((fitting.length - 1) / limit) * limit);
  const headers = {
    self_link: address(offset),
    last_page: address(last),
    current_offset: String(offset),
    current_limit: String(limit),
    ...(offset + limit < fitting.length ? { next_page: address(offset + limit) } : {}),
  };
  const body = fitting
    .slice(offset, offset + limit)
    .map(({ kind, id, trsId }) => presentTrsTool({ kind, trsId, entry: catalog.summary(caller, { kind, id }) }, links));
  return { status: 200 as const, body, headers };
}

/** True if an entry matches the query. No entry has an author or a checker, so filters for them match nothing. */
function fits({ kind, id, trsId, label = id, doc = "" }: IndexEntry, query: ListQuery, hostname: string): boolean {
  const holds = (text: string, part: string | undefined) =>
    part === undefined || text.toLowerCase().includes(part.toLowerCase());
  const alias = trsAliasOf(kind, id);
  return (
    (query.id === undefined || [trsId, alias].includes(query.id)) &&
    holds(label, query.name) &&
    holds(label, query.toolname) &&
    holds(doc, query.description) &&
    holds(hostname, query.organization) &&
    (query.registry === undefined || query.registry === hostname) &&
    (query.toolClass === undefined || query.toolClass === TOOL_CLASSES[kind].name) &&
    (query.descriptorType === undefined || query.descriptorType.toUpperCase() === "CWL") &&
    (query.alias === undefined || alias === query.alias) &&
    query.author === undefined &&
    query.checker !== true
  );
}
