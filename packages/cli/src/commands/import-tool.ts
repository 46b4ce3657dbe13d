import { hash } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { catalogId, versionName } from "@weft/engine/catalog/catalog-name.ts";
import { publishedFiles } from "@weft/engine/catalog/published-files.ts";
import { PIN_FILE } from "@weft/engine/catalog/read-pin.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { PortableUris } from "@weft/engine/files/portable-uri.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import type { Settings } from "../settings/read-settings.ts";
import { documentExit, writeDiagnostics } from "./load-cwl.ts";
import { fetchTrsDocument, writeFiles } from "./trs-document.ts";
import type { FetchedTool } from "./trs-document.ts";

/**
 * Puts a tool or network of another registry into a catalog, with the checksums of all its files: the version cannot
 * change unnoticed. Prints the name of its new folder.
 */
export async function importTool(reference: string, settings: Settings): Promise<number> {
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
  if (existsSync(settings.resolve(target))) throw new UsageError(`${target} exists already`);
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
