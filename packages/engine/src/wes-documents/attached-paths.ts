import { posix } from "node:path";
import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

const MAX_PATH = 1000;
const MAX_DEPTH = 20;
/** Clients attach files of other folders as `../tools/a.cwl`. */
const MAX_CLIMB = 8;
/** The name that represents folders above the client's folder. */
export const PARENT = "parent";

/**
 * Lays out attachments in one folder: name of each attachment → its path in that folder, which is relative and never
 * climbs. Names that climb begin deeper in it, so that references between the files stay valid. Leaves out absolute and
 * impossible names, because no reference leads to them. Refuses two names of one path.
 */
export function attachedPaths(names: Iterable<string>): ReadonlyMap<string, string> {
  const plain = [...names].flatMap((name) => (isPlausible(name) ? [{ name, path: posix.normalize(name) }] : []));
  const within = plain.filter(({ path }) => climbOf(path) <= MAX_CLIMB && isFilePath(path.replace(CLIMB, "")));
  const depth = Math.max(0, ...within.map(({ path }) => climbOf(path)));
  const start = Array.from({ length: depth }, () => PARENT).join("/");
  const paths = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, path: relative } of within) {
    const path = posix.join(start, relative);
    if (taken.has(path)) throw new Refusal("invalid-body", `Two attachments are called ${path}.`);
    taken.add(path);
    paths.set(name, path);
  }
  return paths;
}

function isPlausible(name: string): boolean {
  return name !== "" && name.length <= MAX_PATH && !posix.isAbsolute(name) && !/[\0-\x1f\x7f\\]/.test(name);
}

const CLIMB = /^(?:\.\.\/)*/;

function climbOf(path: string): number {
  return (CLIMB.exec(path)?.[0].length ?? 0) / "../".length;
}

function isFilePath(path: string): boolean {
  const segments = path.split("/");
  const isName = (segment: string) => !/^\.{0,2}$/.test(segment) && Buffer.byteLength(segment) <= MAX_NAME_BYTES;
  return segments.length <= MAX_DEPTH && segments.every(isName);
}
