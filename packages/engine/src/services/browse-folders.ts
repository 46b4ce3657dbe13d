import { Refusal } from "@weft/shared/records/refusal.ts";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import type { Caller, EngineFiles } from "../port/engine.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import { runLater } from "../files/beneath/steps.ts";
import { isBelow } from "../files/is-below.ts";
import { listFolder } from "../files/list-folder.ts";
import type { EntryPlace, FolderItem } from "../files/list-folder.ts";

type Query = Parameters<EngineFiles["browse"]>[1];
type Answer = Awaited<ReturnType<EngineFiles["browse"]>>;

const PAGE_SIZE = 200;
/** Folders that are served under other URLs. */
const RUNS = "runs";
const WES_DOCUMENTS = "wes-documents";
/** A caller who sees only own runs sees no uploads, because their owners are unknown. */
const UPLOADS = "uploads";

/** A page of one of the data folders; without a location, the list of data folders. Refuses `file-not-found`. */
export async function browseFolders(
  caller: Caller,
  query: Query,
  { roots, access }: { readonly roots: AllowedRoots; readonly access: DiskAccess },
): Promise<Answer> {
  const hidden = visibleOwner(caller) === undefined ? [RUNS, WES_DOCUMENTS] : [RUNS, WES_DOCUMENTS, UPLOADS];
  const { location = "" } = query;
  if (location === "") return listRoots(roots.names.filter((name) => !hidden.includes(name)));
  const { reach } = access.ofCaller(caller);
  const found = await roots.resolve(location, (path) => runLater(reach.realPath(path)));
  if (found.kind !== "found" || isWithinAny(found.realPath, hidden, roots)) throw noFolder(location);
  const page = await listFolder(found.realPath, reach, {
    after: placeOf(query.page_token),
    size: query.page_size ?? PAGE_SIZE,
    prefix: query.q ?? "",
  });
  if (page === undefined) throw noFolder(location);
  const base = location.replace(/\/?$/, "/");
  const { last } = page;
  return {
    location,
    entries: page.items.map((item) => toEntry(item, base)),
    total: page.total,
    next_page_token: page.hasMore && last !== undefined ? encodeToken([last.kind, last.name]) : "",
  };
}

function isWithinAny(path: string, names: readonly string[], roots: AllowedRoots): boolean {
  return names.some((name) => isBelow(path, roots.folder(name) ?? path));
}

function noFolder(location: string): Refusal {
  return new Refusal("file-not-found", `There is no folder at ${location}.`);
}

function placeOf(token: string | undefined): EntryPlace | undefined {
  const key = decodeToken(token, ["string", "string"]);
  return key === undefined ? undefined : { kind: key[0] === "folder" ? "folder" : "file", name: String(key[1]) };
}

function listRoots(names: readonly string[]): Answer {
  const entries = names.map((name): FileEntry => ({
    name,
    kind: "folder",
    size: null,
    modified_at: null,
    location: `weft-data://${name}/`,
  }));
  return { location: "", entries, total: entries.length, next_page_token: "" };
}

function toEntry({ kind, name, stats }: FolderItem, base: string): FileEntry {
  return {
    name,
    kind,
    size: kind === "folder" ? null : stats.size,
    modified_at: new Date(stats.mtimeMs).toISOString(),
    location: base + encodeURIComponent(name) + (kind === "folder" ? "/" : ""),
  };
}
