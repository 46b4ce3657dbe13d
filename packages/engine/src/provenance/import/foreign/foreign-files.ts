import { link, lstat, mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { relativeUri } from "@weft/cwl/values/file-uri.ts";
import { toRelativePath } from "@weft/cwl/model/safe-name.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { hashFile } from "../../../files/hash-file.ts";
import { listBelow } from "../../../files/list-below.ts";
import { syncToDisk } from "../../../files/write-durably.ts";
import { undefinedIfMissing } from "../../../files/beneath/undefined-if-missing.ts";
import { UNKNOWN_CONTENT, type Content } from "../../crate/content-at.ts";
import { referencesOf, textOf, unreadable, type ForeignEntity } from "./foreign-graph.ts";
import type { ForeignRun } from "./foreign-run.ts";

/** A file or folder that an action of a foreign crate names. */
export interface ForeignFile {
  /** The file's address on this server, or the original one if the crate does not contain it. */
  readonly uri: string;
  readonly isHere: boolean;
  readonly content: Content;
}

/** A file within a folder of the crate. */
export type ForeignMember = ForeignFile & { readonly name: string };

export interface PlacedForeignFiles {
  readonly of: (entity: ForeignEntity) => ForeignFile;
  /** Content of a folder that the crate contains. */
  readonly under: (entity: ForeignEntity) => readonly ForeignMember[];
  readonly all: readonly ForeignFile[];
}

export interface ForeignPlaces {
  /** Absolute path of the unpacked crate. */
  readonly crate: string;
  /** Absolute path of the future run folder, which does not exist yet. */
  readonly folder: string;
  readonly runId: string;
}

type Side = "outputs" | "inputs";

/** The maximum number of folder members: nested folders list the same files several times. */
const MAX_MEMBERS = 500_000;

/**
 * Puts the files that actions name below the folder of the run, each at its path in the crate: the results of the run
 * below `outputs`, all others below `inputs`. Checks them against the checksums that the crate states. Refuses
 * `invalid-crate` if one differs.
 */
export async function placeForeignFiles(run: ForeignRun, places: ForeignPlaces): Promise<PlacedForeignFiles> {
  const placer = new Placer(places);
  await mkdir(places.folder, { recursive: true, mode: 0o700 });
  for (const [entity, side] of namedData(run)) await placer.place(entity, side);
  return placer;
}

/** Files and folders that actions name, also within others; results of the run first. */
function namedData({ graph, action, jobs }: ForeignRun): ReadonlyMap<ForeignEntity, Side> {
  const found = new Map<ForeignEntity, Side>();
  const seen = new Set<string>();
  const add = (ids: readonly string[], side: Side): void => {
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const entity = graph.entity(id);
      if (entity === undefined || seen.has(id)) continue;
      seen.add(id);
      if (isFile(entity) || isFolder(entity)) found.set(entity, side);
      for (const property of ["hasPart", "mainEntity", "value"]) waiting.push(...referencesOf(entity, property));
    }
  };
  add(referencesOf(action, "result"), "outputs");
  for (const each of [action, ...jobs.map((job) => job.action)])
    for (const property of ["object", "result"]) add(referencesOf(each, property), "inputs");
  return found;
}

export function isFile(entity: ForeignEntity): boolean {
  return entity.types.has("File") || entity.types.has("MediaObject");
}

export function isFolder(entity: ForeignEntity): boolean {
  return entity.types.has("Dataset") || entity.types.has("Directory");
}

class Placer implements PlacedForeignFiles {
  readonly #places: ForeignPlaces;
  readonly #placed = new Map<string, ForeignFile>();
  /** Files by path in the run's folder. */
  readonly #byPath = new Map<string, ForeignFile>();
  readonly #members = new Map<string, readonly ForeignMember[]>();
  #membersLeft = MAX_MEMBERS;

  constructor(places: ForeignPlaces) {
    this.#places = places;
  }

  get all(): readonly ForeignFile[] {
    return [...this.#byPath.values()];
  }

  of(entity: ForeignEntity): ForeignFile {
    return this.#placed.get(entity.id) ?? elsewhere(entity);
  }

  under({ id }: ForeignEntity): readonly ForeignMember[] {
    return this.#members.get(id) ?? [];
  }

  async place(entity: ForeignEntity, side: Side): Promise<void> {
    const path = localPath(entity.id);
    // The crate was unpacked without links.
    const stats =
      path === undefined ? undefined : await lstat(join(this.#places.crate, path)).catch(undefinedIfMissing);
    if (path === undefined || stats === undefined) return;
    if (isFile(entity) && stats.isFile()) {
      const file = await this.#placeFile(path, side);
      refuseOtherContent(entity, file.content);
      this.#placed.set(entity.id, file);
    } else if (isFolder(entity) && stats.isDirectory()) await this.#placeFolder(entity, path, side);
  }

  async #placeFolder({ id }: ForeignEntity, path: string, side: Side): Promise<void> {
    const { crate, folder, runId } = this.#places;
    const entries = await listBelow(join(crate, path));
    const inside = entries.filter((each) => each.isFile());
    this.#membersLeft -= inside.length;
    if (this.#membersLeft < 0) throw unreadable(`its folders list more than ${MAX_MEMBERS} files`);
    const members: ForeignMember[] = [];
    for (const entry of inside)
      members.push({
        ...(await this.#placeFile(relative(crate, join(entry.parentPath, entry.name)), side)),
        name: entry.name,
      });
    await mkdir(join(folder, side, path), { recursive: true });
    this.#members.set(id, members);
    this.#placed.set(id, { uri: addressOf(runId, `${side}/${path}`), isHere: true, content: UNKNOWN_CONTENT });
  }

  async #placeFile(path: string, side: Side): Promise<ForeignFile> {
    const { crate, folder, runId } = this.#places;
    const place = `${side}/${path}`;
    const known = this.#byPath.get(place);
    if (known !== undefined) return known;
    const target = join(folder, place);
    await mkdir(dirname(target), { recursive: true });
    await link(join(crate, path), target);
    await syncToDisk(target);
    const { sha1, sha256, sizeBytes } = await hashFile(target);
    const content = { checksum: sha1, sha256, size: sizeBytes };
    const file = { uri: addressOf(runId, place), isHere: true, content };
    this.#byPath.set(place, file);
    return file;
  }
}

/** The crate's description of a file that it does not contain. */
function elsewhere(entity: ForeignEntity): ForeignFile {
  const [sha1, sha256] = [hexOf(entity, "sha1", 40), hexOf(entity, "sha256", 64)];
  const size = Number(textOf(entity, "contentSize") ?? Number.NaN);
  return {
    uri: /^https?:/i.test(entity.id) ? entity.id : `foreign:${encodeURI(entity.id.toWellFormed())}`,
    isHere: false,
    content: {
      checksum: sha1 === undefined ? null : `sha1$${sha1}`,
      sha256: sha256 ?? null,
      size: Number.isSafeInteger(size) && size >= 0 ? size : null,
    },
  };
}

function refuseOtherContent(entity: ForeignEntity, { checksum, sha256 }: Content): void {
  const stated = elsewhere(entity).content;
  const isOther =
    (stated.checksum !== null && stated.checksum !== checksum) || (stated.sha256 !== null && stated.sha256 !== sha256);
  if (!isOther) return;
  throw new Refusal(
    "invalid-crate",
    `The crate has been changed since it was made: the content of ${entity.id.slice(0, 200)} differs from its checksum in ro-crate-metadata.json.`,
  );
}

function hexOf(entity: ForeignEntity, property: string, length: number): string | undefined {
  const text = textOf(entity, property)?.toLowerCase();
  return text !== undefined && text.length === length && /^[0-9a-f]+$/.test(text) ? text : undefined;
}

/** The path of a data entity in the crate; undefined for an address elsewhere, and for one that leads out. */
function localPath(id: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|#)/i.test(id)) return undefined;
  try {
    return toRelativePath(decodeURIComponent(id));
  } catch {
    return undefined;
  }
}

function addressOf(runId: string, path: string): string {
  return `weft-data://runs/${runId}/${relativeUri(path)}`;
}
