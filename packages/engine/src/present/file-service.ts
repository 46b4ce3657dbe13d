import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";
import { createWriteStream } from "node:fs";
import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { UploadedFile, FileEntry } from "@weft/shared/records/process-record.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineFiles, JobLog, ServableLog } from "../port/engine.ts";
import { streamPath } from "../journal/stream-path.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { newUploadId } from "../access/upload-owner.ts";
import { prunedText } from "./present-storage.ts";
import { requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import { servableFile, type ServableFile } from "../files/servable-file.ts";
import { partOfPath, runItem } from "../files/used-items.ts";
import { attemptPath } from "../files/attempt-folder.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { runLater } from "../files/beneath/steps.ts";
import { isBelow } from "../files/is-below.ts";
import { listFolder, type EntryPlace, type FolderItem } from "../files/list-folder.ts";

interface FileParts {
  readonly roots: AllowedRoots;
  readonly access: DiskAccess;
  readonly journal: Pick<Journal, "read">;
  readonly folder: { readonly runs: string; readonly uploads: string };
  readonly maxUploadBytes: number;
}

/** Files of runs, logs of jobs, and uploads. */
export function createFileService(parts: FileParts): EngineFiles {
  const { read } = parts.journal;
  return {
    runFile: async (caller, runId, path) => runFile(requireVisibleRun(read, runId, caller).runId, path, parts),
    jobLog: async (caller, log) => {
      requireVisibleRun(read, log.runId, caller);
      return jobLog(log, parts);
    },
    upload: (caller, name, content) => upload({ owner: caller.principal, name, content }, parts),
  };
}

async function runFile(runId: string, path: string, parts: FileParts): Promise<ServableFile> {
  const file = await servable(runId, path, parts);
  if (file !== undefined) return file;
  refusePruned(runId, partOfPath(path), parts.journal.read);
  throw new Refusal("file-not-found", `The run has no file "${path}".`);
}

/** Distinguishes a file removed on purpose from one that never existed. */
function refusePruned(runId: string, part: RunPart, read: LogReader): void {
  const pruned = read.pruned(runItem(runId, part));
  if (pruned !== undefined) throw new Refusal("file-pruned", prunedText(part, pruned));
}

/** A visible file of a run. */
async function servable(runId: string, path: string, { folder, access }: FileParts): Promise<ServableFile | undefined> {
  if (path.includes("\0") || path.split("/").includes("..")) return undefined;
  return servableFile(join(folder.runs, runId, path), access.ofShownRun(runId));
}

async function jobLog({ runId, jobId, stream }: JobLog, parts: FileParts): Promise<ServableLog> {
  const { read } = parts.journal;
  const job = read.job(runId, jobId);
  if (job === undefined) throw new Refusal("job-not-found", `The run has no job ${jobId}.`);
  const within = job.command === null ? stream : streamPath(job.command, stream);
  const path = attemptPath(job, within);
  const file = await servable(runId, path, parts);
  if (file !== undefined) return { ...file, isGrowing: job.phase !== "ended" };
  refusePruned(runId, partOfPath(path), read);
  throw new Refusal("file-not-found", `The job has not written to ${stream} yet.`);
}

function isPlainName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || name !== basename(name)) return false;
  return Buffer.byteLength(name) <= MAX_NAME_BYTES && !/[\0-\x1f/\\]/.test(name);
}

/** Writes an upload to its own folder under an unguessable name; the file becomes visible only once it is complete. */
async function upload(
  { owner, name, content }: { readonly owner: string; readonly name: string; readonly content: Readable },
  { folder: { uploads }, maxUploadBytes }: FileParts,
): Promise<UploadedFile> {
  if (!isPlainName(name)) {
    const detail = "use a plain file name of at most 255 bytes, without folders or control characters";
    const errors = [{ parameter: "name", code: "invalid-name", detail }];
    throw new Refusal("invalid-parameters", `"${name}" is not a valid file name.`, { errors });
  }
  const id = newUploadId(owner);
  const partial = join(uploads, `.${id}`);
  try {
    await mkdir(partial, { recursive: true });
    const facts = await receive(content, join(partial, name), maxUploadBytes);
    await rename(partial, join(uploads, id));
    return { location: `weft-data://uploads/${id}/${encodeURIComponent(name)}`, name, ...facts };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw refusalOfSystem(error) ?? error;
  }
}

async function receive(
  content: Readable,
  path: string,
  maxBytes: number,
): Promise<{ size: number; checksum: string; sha256: string }> {
  const sha1 = createHash("sha1");
  const sha256 = createHash("sha256");
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(new Refusal("body-too-large", `Uploads may be at most ${maxBytes} bytes.`));
      sha1.update(chunk);
      sha256.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(content, meter, createWriteStream(path));
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
  return { size, checksum: `sha1$${sha1.digest("hex")}`, sha256: sha256.digest("hex") };
}

type Listing = RouteResult<"GET /api/files">;

const PAGE_SIZE = 200;
/** Folders that are served under other URLs. */
const RUNS = "runs";
const WES_DOCUMENTS = "wes-documents";
/** A caller who sees only own runs sees no uploads, because their owners are unknown. */
const UPLOADS = "uploads";

/**
 * Callers who cannot see other people's runs cannot read their uploads either, whatever addresses they know. Refuses
 * `file-not-found`.
 */
export function folderMethods(parts: Pick<FileParts, "roots" | "access">): RouteMethods {
  return { "GET /api/files": ({ caller, query }) => browseFolders(caller, query, parts) };
}

/** A page of one of the data folders; without a location, the list of data folders. */
async function browseFolders(
  caller: Caller,
  query: RouteQuery<"GET /api/files">,
  { roots, access }: Pick<FileParts, "roots" | "access">,
): Promise<Listing> {
  const hidden = visibleOwner(caller) === undefined ? [RUNS, WES_DOCUMENTS] : [RUNS, WES_DOCUMENTS, UPLOADS];
  const { location = "" } = query;
  const after = placeOf(query.page_token);
  const prefix = query.q ?? "";
  if (location === "")
    return listRoots(
      roots.names.filter((name) => !hidden.includes(name) && name.toLowerCase().startsWith(prefix.toLowerCase())),
    );
  const { reach } = access.ofCaller(caller);
  const found = await roots.resolve(location, (path) => runLater(reach.realPath(path)));
  if (found.kind !== "found" || isWithinAny(found.realPath, hidden, roots)) throw noFolder(location);
  const page = await listFolder(found.realPath, reach, {
    after,
    size: query.page_size ?? PAGE_SIZE,
    prefix,
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

function listRoots(names: readonly string[]): Listing {
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
