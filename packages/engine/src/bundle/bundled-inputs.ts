import { join } from "node:path";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runLater, type Steps } from "../files/beneath/steps.ts";
import type { ArchiveEntry } from "../archive/zip-archive.ts";

/** Current location of the input's bytes. */
export type FoundInput = { readonly path: string } | { readonly bytes: Buffer };

export interface WantedInput {
  /** Recorded location. */
  readonly source: string;
  /** Path that the job saw. */
  readonly name: string;
}

/** A name that not every system can unpack, and its replacement. Relative to the bundle's folder. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

export interface BundledInputs {
  /** The path of each input relative to the bundle's folder, by location. */
  readonly places: ReadonlyMap<string, string>;
  readonly entries: readonly ArchiveEntry[];
  /** Ordered: outer folders come first. */
  readonly renamings: readonly Renaming[];
  /** Locations of inputs that no longer exist on this machine. */
  readonly missing: readonly string[];
  readonly sizeBytes: number;
}

/**
 * Places every input below `inputs/N/`, each location once. Includes complete folders, and follows links to targets
 * within reach.
 */
export async function bundleInputs(
  stagedInputs: readonly WantedInput[],
  find: (source: string) => Promise<FoundInput | undefined>,
  reach: Reach,
): Promise<BundledInputs> {
  const places = new Map<string, string>();
  const gathered: Gathered = { entries: [], renamings: [], sizeBytes: 0, reach };
  const missing: string[] = [];
  for (const { source, name } of stagedInputs) {
    if (places.has(source) || missing.includes(source)) continue;
    const place = `inputs/${places.size + 1}/${plainName(name)}`;
    if (await gather(await find(source), place, gathered)) places.set(source, place);
    else missing.push(source);
  }
  const { entries, renamings, sizeBytes } = gathered;
  return { places, missing, entries, renamings, sizeBytes };
}

interface Gathered {
  readonly reach: Reach;
  readonly entries: ArchiveEntry[];
  readonly renamings: Renaming[];
  sizeBytes: number;
}

async function gather(found: FoundInput | undefined, place: string, into: Gathered): Promise<boolean> {
  if (found === undefined) return false;
  if ("path" in found) return gatherPath(found.path, { place, stored: place, around: [] }, into);
  into.entries.push({ kind: "bytes", name: place, bytes: found.bytes });
  into.sizeBytes += found.bytes.length;
  return true;
}

interface Place {
  /** The final name; `stored` is the name in the archive, where outer folders already have their final names. */
  readonly place: string;
  readonly stored: string;
  /** The real folders that contain the entry. Following a link back to one of them would never end. */
  readonly around: readonly string[];
}

/** False if there is no readable file or folder. */
async function gatherPath(path: string, at: Place, into: Gathered): Promise<boolean> {
  const { reach } = into;
  const real = await unlessRefused(reach.realPath(path));
  const found = real === undefined ? undefined : await unlessRefused(reach.stat(real));
  if (real === undefined || found === undefined || at.around.includes(real)) return false;
  if (found.isDirectory()) await gatherFolder(real, at, into);
  else if (found.isFile()) {
    into.entries.push({ kind: "file", name: at.stored, open: () => runLater(reach.openFile(real)) });
    into.sizeBytes += found.size;
  }
  return found.isDirectory() || found.isFile();
}

async function unlessRefused<Value>(steps: Steps<Value>): Promise<Value | undefined> {
  try {
    return await runLater(steps);
  } catch (error) {
    if (error instanceof OutOfReach) return undefined;
    throw error;
  }
}

async function gatherFolder(folder: string, { place, stored, around }: Place, into: Gathered): Promise<void> {
  into.entries.push({ kind: "folder", name: stored });
  const found = await runLater(into.reach.list(folder, { keepsUnreachable: true }));
  const names = found.map(({ name }) => name).sort();
  for (const [index, name] of names.entries()) {
    const plain = plainName(name) === name ? name : `${plainName(name)}.weft-${index}`;
    const inner = { place: `${place}/${name}`, stored: `${stored}/${plain}`, around: [...around, folder] };
    const before = into.renamings.length;
    const isThere = await gatherPath(join(folder, name), inner, into);
    if (isThere && plain !== name) into.renamings.splice(before, 0, { from: `${place}/${plain}`, to: inner.place });
  }
}

/** Unpackers change control characters and backslashes. */
function plainName(name: string): string {
  return name.replace(/[\0-\x1f\x7f\\]/g, "_");
}
