import type { Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { undefinedIfMissing } from "./undefined-if-missing.ts";
import type { ClosedFiles } from "./closed-files.ts";
import { OpenFile } from "./open-file.ts";
import { OpenFolder } from "./open-folder.ts";
import { OutOfReach } from "./out-of-reach.ts";
import { partsOf, RealRegion, type NoPlace, type Place, type Region } from "./region.ts";
import { close, fstat, lstat, lstatIfAny, systemError } from "./system-calls.ts";
import { runLater, take, type Steps } from "./steps.ts";
import { FOLDER, Met, openUnlessLink, ownPathOf, READ, targetOf, walk, type Visit } from "./walk.ts";

export interface ReachOptions {
  readonly regions: readonly Region[];
  /** The server's own files, which a hard link must not expose. */
  readonly closed?: ClosedFiles | undefined;
}

/** The result of visiting a path, and the real path with all links resolved. */
interface Visited<Value> {
  readonly value: Value;
  readonly path: string;
}

export interface FoundEntry {
  readonly name: string;
  /** Stats of the link's target if it is a link; undefined for a dangling link and for one that leads out of reach. */
  readonly stats: Stats | undefined;
  readonly isLink: boolean;
  /** The bytes of a name that is not UTF-8. `name` contains U+FFFD instead and cannot be opened. */
  readonly foreign?: Buffer;
}

const MAX_LINKS = 40;

/**
 * The folders that a caller or a run may read. Walks every path name by name and never lets the kernel follow a link. It
 * resolves a link itself, and continues only if the target is within reach too. So data sets made of links (DataLad,
 * git-annex) work, and any other link is refused, even if it appears during the walk.
 */
export class Reach {
  readonly #regions: readonly RealRegion[];
  readonly #closed: ClosedFiles | undefined;
  readonly #coversAll: boolean;

  constructor({ regions, closed }: ReachOptions) {
    this.#regions = regions.map((region) => new RealRegion(region));
    this.#coversAll =
      regions.some(({ folder }) => folder === "/") && regions.every(({ admits }) => admits === undefined);
    this.#closed = closed;
  }

  /** Opens a regular file. Rejects with OutOfReach or the system's error (ENOENT, EISDIR). */
  *openFile(path: string): Steps<OpenFile> {
    const { value } = yield* this.visit(path, (last, real) => this.#open(last, { real, path }));
    return value;
  }

  /** Uses a regular file while its folder is open too: `entry` is its path there, for a hard link. */
  *withFile<Value>(path: string, use: (file: OpenFile, entry: string) => Steps<Value>): Steps<Value> {
    const open = (last: string, real: string) => this.#open(last, { real, path });
    const { value } = yield* this.visit(path, function* (last, real) {
      const opened = yield* open(last, real);
      if (opened instanceof Met) return opened;
      using file = opened;
      return yield* use(file, last);
    });
    return value;
  }

  *#open(last: string, { real, path }: { readonly real: string; readonly path: string }): Steps<OpenFile | Met> {
    const fd = yield* openUnlessLink(last, READ);
    if (fd instanceof Met) return fd;
    let isKept = false;
    try {
      const stats = yield* take(fstat(fd));
      if (stats.isDirectory()) throw systemError("EISDIR", `${path} is a folder`);
      if (!stats.isFile())
        throw new OutOfReach(`\`${path}\` is neither a file nor a folder (a device, socket or pipe)`);
      if (this.#closed?.holds(stats) === true)
        throw new OutOfReach(`\`${path}\` is a hard link to one of the server's own files`);
      yield* this.#checkOwnPath(fd, path);
      isKept = true;
      return new OpenFile(fd, stats, real);
    } finally {
      if (!isKept) yield* take(close(fd));
    }
  }

  /** Follows links; undefined if nothing exists there. Rejects with OutOfReach. */
  *stat(path: string): Steps<Stats | undefined> {
    return (yield* this.#lstat(path))?.value;
  }

  /** The path with all links resolved; undefined if nothing exists there. Rejects with OutOfReach. */
  *realPath(path: string): Steps<string | undefined> {
    const found = yield* this.#lstat(path);
    return found?.value === undefined ? undefined : found.path;
  }

  /**
   * The entries of a folder in the order of the disk, each with the stats of its target, without folders that are out of
   * reach. Rejects with OutOfReach for the folder itself, and for a link that leads out of reach unless `keepsUnreachable`
   * is set.
   */
  *list(path: string, { keepsUnreachable = false } = {}): Steps<FoundEntry[]> {
    using folder = yield* this.openFolder(path);
    const isMixed = this.isMixed(folder.path);
    const found: FoundEntry[] = [];
    // Names that are not UTF-8 look like others, and like each other.
    const names = new Set((yield* folder.entries()).map(({ name }) => name));
    const foreign = !isMixed && [...names].some((name) => name.includes("\uFFFD")) ? yield* folder.foreignNames() : [];
    for (const bytes of foreign)
      found.push({ name: bytes.toString("utf8"), stats: undefined, isLink: false, foreign: bytes });
    const isForeign = new Set(found.map(({ name }) => name));
    for (const name of names) {
      if (isForeign.has(name) && (yield* folder.lstat(name)) === undefined) continue;
      const inner = join(folder.path, name);
      if (isMixed && !this.covers(inner)) continue;
      const stats = yield* folder.lstat(name);
      const isLink = stats?.isSymbolicLink() === true;
      found.push({ name, isLink, stats: isLink ? yield* this.#behind(inner, keepsUnreachable) : stats });
    }
    return found;
  }

  /** Rejects with OutOfReach or the system's error (ENOENT, ENOTDIR). */
  *openFolder(path: string): Steps<OpenFolder> {
    const { value: fd, path: real } = yield* this.visit(path, (last) => openUnlessLink(last, FOLDER));
    const folder = new OpenFolder(fd, real);
    try {
      yield* this.#checkOwnPath(fd, path);
      return folder;
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  /** True if the path itself is within reach; ignores links in it. */
  covers(path: string): boolean {
    const found = this.#find(partsOf(path));
    return found !== undefined && "root" in found;
  }

  /** True if another region is inside a folder, such as the state folder inside a data folder. */
  isMixed(path: string): boolean {
    const parts = partsOf(path);
    return this.#regions.some((region) => region.isBelow(parts));
  }

  /** Walks to a path, resolves links in it and visits the final target. Rejects with OutOfReach. */
  *visit<Value>(path: string, visit: Visit<Value>): Steps<Visited<Value>> {
    let way: Way = { real: [], pending: partsOf(path) };
    let link: string | undefined;
    for (let links = 0; links <= MAX_LINKS;) {
      const { real, pending } = withoutLeadingUps(way);
      const upAt = pending.indexOf("..");
      const parts = [...real, ...(upAt === -1 ? pending : pending.slice(0, upAt))];
      const place = this.#find(parts);
      if (!("root" in place)) throw new OutOfReach(refusal(path, link, `/${[...real, ...pending].join("/")}`), place);
      const { root, names } = place;
      const rest = upAt === -1 ? [] : pending.slice(upAt);
      // The parent of a name depends on whether the name is a link.
      const walked = yield* upAt === -1 ? walk(root, names, visit) : walk(root, names, lookUp);
      if (walked.kind === "link") {
        links += 1;
        link = join(root, ...names.slice(0, walked.index + 1));
        way = follow({ root, names, rest }, walked);
      } else if (walked.value === LOOKED_UP) way = { real: partsOf(join(root, ...names)), pending: rest };
      else return { value: walked.value, path: join(root, ...names) };
    }
    throw new OutOfReach(`\`${path}\` passes through more than ${MAX_LINKS} symbolic links`);
  }

  #find(parts: readonly string[]): Place | NoPlace {
    let best: { readonly region: RealRegion; readonly depth: number } | undefined;
    for (const region of this.#regions) {
      const depth = region.depthOf(parts);
      if (depth !== undefined && (best === undefined || depth > best.depth)) best = { region, depth };
    }
    if (best === undefined) return { isHidden: false };
    return best.region.place(parts.slice(best.depth));
  }

  *#lstat(path: string): Steps<Visited<Stats | undefined> | undefined> {
    try {
      return yield* this.visit(path, lstatUnlessLink);
    } catch (error) {
      if (error instanceof OutOfReach) throw error;
      return undefinedIfMissing(error as NodeJS.ErrnoException); // the rest are errors of system calls
    }
  }

  *#behind(path: string, keepsUnreachable: boolean): Steps<Stats | undefined> {
    try {
      return yield* this.stat(path);
    } catch (error) {
      if (keepsUnreachable && error instanceof OutOfReach) return undefined;
      throw error;
    }
  }

  /** The opened file must be within reach now, even if folders were renamed during the walk. */
  *#checkOwnPath(fd: number, path: string): Steps<void> {
    if (this.#coversAll) return;
    const own = yield* ownPathOf(fd);
    if (own !== undefined && !this.covers(own)) throw new OutOfReach(`\`${path}\` moved while Weft was opening it`);
  }
}

/** `real`: folders that are known not to be links; `pending`: the names to check below them. */
interface Way {
  readonly real: readonly string[];
  readonly pending: readonly string[];
}

function withoutLeadingUps({ real, pending }: Way): Way {
  const ups = pending.findIndex((name) => name !== "..");
  const count = ups === -1 ? pending.length : ups;
  return { real: real.slice(0, Math.max(0, real.length - count)), pending: pending.slice(count) };
}

function follow(
  { root, names, rest }: Place & { readonly rest: readonly string[] },
  { index, target }: { readonly index: number; readonly target: string },
): Way {
  const real = isAbsolute(target) ? [] : partsOf(join(root, ...names.slice(0, index)));
  return { real, pending: [...partsOf(target), ...names.slice(index + 1), ...rest] };
}

function refusal(path: string, link: string | undefined, target: string): string {
  if (link === undefined) return `\`${path}\` is outside the folders that this run or request may read`;
  return `\`${link}\` is a link to \`${target}\`, outside the folders that this run or request may read`;
}

function* lstatUnlessLink(path: string): Steps<Stats | Met | undefined> {
  const stats = yield* take(lstatIfAny(path));
  if (stats?.isSymbolicLink() !== true) return stats;
  return (yield* targetOf(path)) ?? stats;
}

const LOOKED_UP = Symbol("looked up");

function* lookUp(path: string): Steps<typeof LOOKED_UP | Met> {
  const stats = yield* take(lstat(path));
  const target = stats.isSymbolicLink() ? yield* targetOf(path) : undefined;
  return target ?? LOOKED_UP;
}

/** Creates folders one after the other, so that each gets the same permissions as without a server. */
export async function makeFolders(path: string, sink: Reach, umask: number): Promise<OpenFolder> {
  const there = await runLater(sink.openFolder(path)).catch(undefinedIfMissing);
  if (there !== undefined) return there;
  using parent = await makeFolders(dirname(path), sink, umask);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isOurs = await runLater(parent.make(name));
  const made = await runLater(parent.folder(name));
  if (isOurs) await runLater(made.setMode(0o777 & ~umask));
  await runLater(parent.sync());
  return made;
}
