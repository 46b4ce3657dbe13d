import { constants } from "node:fs";
import { copyFile, link, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { hashFile } from "../../files/hash-file.ts";
import { syncToDisk } from "../../files/write-durably.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { PayloadFile } from "../verify/verify-crate.ts";
import { within } from "../crate/crate-paths.ts";

export interface PayloadToPlace {
  /** Absolute path of the unpacked crate. */
  readonly crate: string;
  readonly payload: readonly PayloadFile[];
  /** Files by their new path relative to the run's folder. */
  readonly files: ReadonlyMap<string, RecordedFile>;
  /** The original locations of the files, by the same paths. */
  readonly origins: ReadonlyMap<string, string>;
  /** Names in the crate, by original location. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Absolute path of the future run folder; does not exist yet. */
  readonly folder: string;
  /** Files that the document names: path relative to the run's folder → name in the crate. */
  readonly named: ReadonlyMap<string, string>;
  /** Last attempt of each job. */
  readonly attempts: ReadonlyMap<string, number>;
}

/**
 * Lays out the content of a crate like a run folder of this server. Returns the placed files, which are on disk when
 * this resolves.
 */
export async function placePayload(request: PayloadToPlace): Promise<readonly RecordedFile[]> {
  const { crate, payload, files, folder, attempts } = request;
  refuseClashes(files);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const contents = await contentsOf(crate, payload, files);
  const pathsOf = new Map([...files].map(([path, { uri }]) => [uri, path]));
  const placed = new Map<string, RecordedFile>();
  for (const [path, file] of files) {
    if (file.class === "Directory") await mkdir(join(folder, path), { recursive: true });
    const name = contents.get(file.sha256 ?? file.checksum ?? "") ?? unhashedName(path, file, request);
    if (file.class === "Directory" || name === undefined) continue;
    // A published output is the file that the job wrote; other files with equal content are separate.
    const source = pathsOf.get(file.source_uri ?? "") ?? "";
    if (placed.has(source) && source !== path) await copyTo(join(folder, source), join(folder, path), link);
    else await copyTo(join(crate, name), join(folder, path), copyClone);
    placed.set(path, await ownRecord(file, join(folder, path)));
  }
  for (const { name } of payload) {
    const path = logPath(name, attempts);
    if (path !== undefined && !files.has(path)) await copyTo(join(crate, name), join(folder, path), copyClone);
  }
  for (const [path, name] of request.named)
    if (!files.has(path)) await copyTo(join(crate, name), join(folder, path), copyClone);
  return [...placed.values()];
}

/** A file that comes with a document is known only by its location; its content was not recorded. */
function unhashedName(path: string, file: RecordedFile, request: PayloadToPlace): string | undefined {
  if (file.checksum !== null) return undefined;
  const name = request.addresses.get(request.origins.get(path) ?? "");
  return request.payload.some((part) => part.name === name) ? name : undefined;
}

/** Names in the crate by SHA-256 of the content; also by SHA-1 if a record has nothing else. */
async function contentsOf(
  crate: string,
  payload: readonly PayloadFile[],
  files: ReadonlyMap<string, RecordedFile>,
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map(payload.map(({ name, sha256 }) => [sha256, name]));
  const isLacking = [...files.values()].some(({ sha256, checksum }) => sha256 === undefined && checksum !== null);
  if (isLacking) for (const { name } of payload) contents.set((await hashFile(join(crate, name))).sha1, name);
  return contents;
}

async function copyTo(from: string, to: string, by: (from: string, to: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await by(from, to);
  await syncToDisk(to);
}

/** Shares disk blocks if possible. */
function copyClone(from: string, to: string): Promise<void> {
  return copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** SHA-1 and size come from the bytes: the metadata vouch only for the SHA-256. */
async function ownRecord({ port, place, name, uri }: RecordedFile, path: string): Promise<RecordedFile> {
  const { sha1, sha256, sizeBytes } = await hashFile(path);
  return { port, ...(place === undefined ? {} : { place }), name, uri, checksum: sha1, sha256, size: sizeBytes };
}

/** Refuses a crate in which a path is both a file and a folder. */
function refuseClashes(files: ReadonlyMap<string, RecordedFile>): void {
  for (const path of files.keys())
    for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
      const file = files.get(parent);
      if (file === undefined || file.class === "Directory") continue;
      throw new Refusal("invalid-crate", `The events of the crate refer to ${parent} as a file and as a folder.`);
    }
}

const LOG = /^logs\/([A-Za-z0-9][A-Za-z0-9._-]*)\/(?:attempt-(\d{1,4})\/)?(stdout|stderr)\.txt$/;

/** The path at which the server expects a stream of an attempt; undefined for other files. */
function logPath(name: string, attempts: ReadonlyMap<string, number>): string | undefined {
  const [, job = "", attempt, stream = ""] = LOG.exec(name) ?? [];
  const last = attempts.get(job);
  return last === undefined ? undefined : within(`jobs/${job}@${attempt ?? last}/${stream}`);
}
