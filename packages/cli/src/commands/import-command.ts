import { listBelow } from "@weft/engine/files/list-below.ts";
import { createReadStream, statSync, existsSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { openLog } from "@weft/engine/app/open-log.ts";
import { importIntoFolder } from "@weft/engine/provenance/import/import-into-folder.ts";
import { StateFolderBusy } from "@weft/engine/journal/state-folder-unusable.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { mkdir, rename, rm } from "node:fs/promises";
import { zipArchive, type ArchiveEntry } from "@weft/engine/archive/zip-archive.ts";
import { openTrustedFile } from "@weft/engine/files/beneath/open-file.ts";
import { runLater } from "@weft/engine/files/beneath/steps.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { serverClient } from "../server/server-client.ts";
import { hash } from "node:crypto";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { catalogId, versionName } from "@weft/engine/catalog/catalog-name.ts";
import { publishedFiles } from "@weft/engine/catalog/published-files.ts";
import { PIN_FILE } from "@weft/engine/catalog/read-pin.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { PortableUris } from "@weft/engine/files/portable-uri.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import { documentExit, writeDiagnostics } from "./load-cwl.ts";
import { fetchTrsDocument, writeFiles, type FetchedTool } from "./trs-document.ts";

/** Imports a tool from another registry or a run from a crate, through the server that uses the state folder, or directly. */
export async function importCommand(settings: Settings): Promise<number> {
  const [crate = ""] = settings.positionals;
  if (crate.startsWith("trs:")) return importTool(crate, settings);
  const found = statSync(settings.resolve(crate), { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`crate not found: ${crate}`);
  settings.io.umask(0o077);
  const runId = await importInto(settings.stateFolder(), settings.resolve(crate), found.isDirectory());
  settings.io.stdout.write(`${runId}\n`);
  return EXIT.success;
}

async function importInto(stateFolder: string, crate: string, isFolder: boolean): Promise<string> {
  try {
    return await importIntoFolder({
      stateFolder,
      principal: "local",
      crate: isFolder ? { kind: "folder", path: crate } : { kind: "zip", content: createReadStream(crate) },
      // A user who can write to the folder can fill the disk anyway.
      maxBytes: Number.MAX_SAFE_INTEGER,
      openLog,
    });
  } catch (error) {
    if (!(error instanceof StateFolderBusy)) throw error;
    return importByServer(stateFolder, crate, isFolder);
  }
}

/** Lets the server that uses a state folder import a crate: a zip, or a folder sent as one. Returns the run's ID there. */
async function importByServer(stateFolder: string, crate: string, isFolder: boolean): Promise<string> {
  const body = isFolder ? zipArchive(await entriesOf(crate), new Date()) : createReadStream(crate);
  const headers = { "content-type": "application/zip", accept: "application/json" };
  const answer = await serverClient(stateFolder).send("/api/provenance/crates", { method: "POST", headers, body });
  return (JSON.parse(answer.toString()) as Run).run_id; // the tests of the API prove the shape
}

async function entriesOf(folder: string): Promise<readonly ArchiveEntry[]> {
  const entries = await listBelow(folder);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { kind: "file", name: relative(folder, path), open: () => runLater(openTrustedFile(path)) };
    });
}

/**
 * Puts a tool or network of another registry into a catalog, with the checksums of all its files: the version cannot
 * change unnoticed. Prints the name of its new folder.
 */
async function importTool(reference: string, settings: Settings): Promise<number> {
  const { io } = settings;
  const catalog = settings.text("catalog");
  if (catalog === undefined) throw new UsageError("--catalog DIR is required: the catalog that the tool is added to");
  const tool = await fetchTrsDocument(reference, DEFAULT_DOWNLOADS, io);
  if (tool === undefined) throw new UsageError(`${reference}: write trs://HOST/ID/VERSION`);
  const uri = pathToUri(tool.document);
  const loaded = await loadDocument(uri, { reader: diskReader });
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  writeDiagnostics(errors, loaded.sources, { io, isQuiet: true });
  if (loaded.process === undefined || errors.length > 0) return documentExit(errors);
  const kind = loaded.process.class === "Workflow" ? "network" : "tool";
  const id = catalogId(tool.address.id);
  if (id === undefined) throw new UsageError(`${tool.address.id} has no name that a catalog folder can have`);
  const packed = JSON.stringify(packDocument(loaded));
  const place = { root: tool.folder, uris: new PortableUris({}) };
  const published = await publishedFiles({ place: { kind, id }, uri, packed, examples: [] }, place);
  const files = new Map<string, Buffer>();
  for (const { path, read } of published) files.set(path, await read());
  const target = join(catalog, `${kind}s`, id, versionOf(tool));
  if (existsSync(settings.resolve(target))) throw new UsageError(`${target} already exists`);
  await placeTool(settings.resolve(target), files, tool);
  io.stdout.write(`${target}\n`);
  return EXIT.success;
}

/** A version without a usable name is named after its content. */
function versionOf({ address: { version }, digest }: FetchedTool): string {
  return versionName(version) ?? digest.slice("sha256:".length).slice(0, 12);
}

/** Writes to a folder with another name first, so that a server never sees half a tool. */
async function placeTool(target: string, files: Map<string, Buffer>, { address, digest }: FetchedTool): Promise<void> {
  const sums = [...files].map(([path, bytes]) => [path, hash("sha256", bytes)] as const);
  const pin = { source: `${address.text}#${digest}`, files: Object.fromEntries(sums) };
  const draft = join(dirname(dirname(dirname(target))), `.import-${process.pid}`);
  try {
    await writeFiles(draft, new Map([...files, [PIN_FILE, Buffer.from(`${JSON.stringify(pin, undefined, 2)}\n`)]]));
    await mkdir(dirname(target), { recursive: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
