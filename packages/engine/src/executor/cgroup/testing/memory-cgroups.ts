import type { CgroupFiles } from "../cgroup-files.ts";

/** In-memory control groups: they can exist, contain groups and files, and accept writes. */
export class MemoryCgroups {
  /** Path of a group → its files. */
  readonly groups: Map<string, Map<string, string>>;
  /** Everything that was written, as `path=text`. */
  readonly written: string[] = [];
  /** Suffixes of paths that reject writes. */
  readonly refused: Set<string> = new Set();
  readonly files: CgroupFiles;

  constructor(groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {}) {
    this.groups = new Map(Object.entries(groups).map(([path, files]) => [path, new Map(Object.entries(files))]));
    this.files = {
      read: (path) => this.#fileOf(path),
      write: (path, text) => this.#write(path, text),
      list: (path) => this.#childrenOf(path),
      make: (path) =>
        !this.#isRefused(path) &&
        (this.groups.has(path) || this.groups.set(path, new Map([["cgroup.events", "populated 0\n"]])) !== undefined),
      remove: (path) => this.#remove(path),
      removeLater: async (path) => this.#remove(path),
    };
  }

  #fileOf(path: string): string | undefined {
    const [group, name] = split(path);
    return this.groups.get(group)?.get(name);
  }

  #write(path: string, text: string): boolean {
    const [group] = split(path);
    if (this.#isRefused(path) || !this.groups.has(group)) return false;
    this.written.push(`${path}=${text}`);
    return true;
  }

  #childrenOf(path: string): readonly string[] {
    return [...this.groups.keys()].map(split).flatMap(([parent, name]) => (parent === path ? [name] : []));
  }

  /** Like the kernel: refused while the group contains processes or groups. */
  #remove(path: string): boolean {
    const files = this.groups.get(path);
    if (files === undefined || files.get("cgroup.events") === "populated 1\n") return false;
    return this.#childrenOf(path).length === 0 && this.groups.delete(path);
  }

  #isRefused(path: string): boolean {
    return [...this.refused].some((end) => path.endsWith(end));
  }
}

function split(path: string): readonly [string, string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, slash), path.slice(slash + 1)];
}
