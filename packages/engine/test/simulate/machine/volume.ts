import type { Decisions } from "./decisions.ts";
import { Inode, systemError } from "./inode.ts";

interface Change {
  readonly folder: Inode;
  readonly name: string;
  /** Undefined: the name is removed. */
  readonly inode: Inode | undefined;
}

/** A place in the tree: the folder, the last name, and what has that name. */
export interface Spot {
  readonly folder: Inode;
  readonly name: string;
  readonly inode: Inode | undefined;
}

const MAX_LINKS = 40;

/**
 * A disk in memory. It behaves as journaling file systems do (ext4, xfs): changes of names survive in their order, up to
 * some moment; a sync of any file or folder makes all earlier changes of names certain, and the bytes of that file. Bytes
 * that were not synced may be there, be missing, or end anywhere.
 */
export class Volume {
  readonly root: Inode;
  isFull = false;
  readonly #nowMs: () => number;
  /** Changes of names since the last sync; each group happens as a whole. */
  #journal: (readonly Change[])[] = [];
  /** Files with bytes that were not synced. */
  readonly #dirty = new Set<Inode>();
  #lastIno = 1;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.root = new Inode("folder", 1, 0);
  }

  /** Walks to a path. Follows links in it, and the last one too if `follows` is set. */
  find(path: string, { follows = true, from = this.root, links = 0 } = {}): Spot {
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    let folder = path.startsWith("/") ? this.root : from;
    if (names.length === 0) return { folder, name: "", inode: folder };
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      if (folder.kind !== "folder") throw systemError("ENOTDIR", "open", path);
      const inode = name === ".." ? (folder.parent ?? this.root) : folder.entries.get(name);
      if (inode?.kind === "link" && (!isLast || follows)) {
        if (links >= MAX_LINKS) throw systemError("ELOOP", "open", path);
        const rest = [inode.target, ...names.slice(index + 1)].join("/");
        return this.find(rest, { follows, from: folder, links: links + 1 });
      }
      if (isLast) return { folder, name, inode };
      if (inode === undefined) throw systemError("ENOENT", "open", path);
      folder = inode;
    }
    throw systemError("ENOENT", "open", path);
  }

  make(kind: Inode["kind"], { folder, name }: Spot): Inode {
    if (this.isFull) throw systemError("ENOSPC", "open", name);
    const inode = new Inode(kind, ++this.#lastIno, this.#nowMs());
    this.#change([{ folder, name, inode }]);
    return inode;
  }

  link(inode: Inode, { folder, name }: Spot): void {
    inode.nlink += 1;
    inode.ctimeMs = this.#nowMs();
    this.#change([{ folder, name, inode }]);
  }

  remove({ folder, name, inode }: Spot): void {
    if (inode !== undefined) inode.nlink -= 1;
    this.#change([{ folder, name, inode: undefined }]);
  }

  rename(from: Spot, to: Spot): void {
    if (from.inode === undefined) throw systemError("ENOENT", "rename", from.name);
    if (to.inode === from.inode) return;
    if (to.inode !== undefined) to.inode.nlink -= 1;
    const { inode } = from;
    this.#change([
      { folder: from.folder, name: from.name, inode: undefined },
      { folder: to.folder, name: to.name, inode },
    ]);
  }

  write(inode: Inode, data: Buffer): void {
    if (this.isFull && data.length > inode.data.length) throw systemError("ENOSPC", "write", String(inode.ino));
    inode.data = data;
    inode.mtimeMs = this.#nowMs();
    inode.ctimeMs = inode.mtimeMs;
    this.#dirty.add(inode);
  }

  sync(inode: Inode): void {
    for (const change of this.#journal.flat()) applyTo(change.folder.durable, change);
    this.#journal = [];
    if (inode.kind !== "file") return;
    inode.synced = inode.data;
    this.#dirty.delete(inode);
  }

  /** A file that another machine has written, with the folders that lead to it: it is on the disk of that machine. */
  keep({ folder, name, inode }: Spot): void {
    if (inode === undefined) return;
    inode.synced = inode.data;
    this.#dirty.delete(inode);
    folder.durable.set(name, inode);
    for (let at = folder; at.parent !== undefined; at = at.parent)
      for (const [above, child] of at.parent.entries) if (child === at) at.parent.durable.set(above, at);
  }

  /** Everything is on disk. */
  syncAll(): void {
    this.sync(this.root);
    for (const inode of this.#dirty) inode.synced = inode.data;
    this.#dirty.clear();
  }

  /** The power fails and returns. */
  losePower(decisions: Decisions): void {
    const kept = Math.floor(decisions.fraction("power.names") * (this.#journal.length + 1));
    for (const change of this.#journal.slice(0, kept).flat()) applyTo(change.folder.durable, change);
    for (const { folder } of this.#journal.flat()) this.#revert(folder);
    this.#journal = [];
    for (const inode of this.#dirty) {
      inode.data = torn(inode, decisions);
      inode.synced = inode.data;
    }
    this.#dirty.clear();
    countLinks(this.root);
  }

  #revert(folder: Inode): void {
    folder.entries.clear();
    for (const [name, inode] of folder.durable) folder.entries.set(name, inode);
  }

  #change(changes: readonly Change[]): void {
    for (const change of changes) {
      applyTo(change.folder.entries, change);
      change.folder.mtimeMs = this.#nowMs();
      if (change.inode?.kind === "folder") change.inode.parent = change.folder;
    }
    this.#journal.push(changes);
  }
}

function applyTo(entries: Map<string, Inode>, { name, inode }: Change): void {
  if (inode === undefined) entries.delete(name);
  else entries.set(name, inode);
}

function countLinks(root: Inode): void {
  const names = new Map<Inode, number>();
  const count = (folder: Inode) => {
    for (const inode of folder.entries.values()) {
      names.set(inode, (names.get(inode) ?? 0) + 1);
      if (inode.kind === "folder") count(inode);
    }
  };
  count(root);
  for (const [inode, number] of names) inode.nlink = number;
}

function torn(inode: Inode, decisions: Decisions): Buffer {
  const fate = decisions.pick("power.bytes", ["synced", "torn", "written"]);
  if (fate === "synced") return inode.synced;
  if (fate === "written") return inode.data;
  return inode.data.subarray(0, Math.floor(decisions.fraction("power.torn") * (inode.data.length + 1)));
}
