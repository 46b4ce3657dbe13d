import { promisify } from "node:util";
import { bigStatsOf, kindMethods, statsOf, systemError, type Inode } from "./inode.ts";
import type { Files } from "./files.ts";
import { currentMachine } from "./current.ts";

type Data = string | Uint8Array;
interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}
interface MakeOptions {
  readonly recursive?: boolean;
  readonly mode?: number;
}

/** The calls of `node:fs` as the engine uses them, on the simulated disk. Anything else of `node:fs` throws. */
const calls = {
  open: (path: string, flags?: number | string, mode?: number) => files().open(path, flags, mode),
  close: (fd: number) => files().close(fd),
  fstat: (fd: number, options?: StatOptions) => stats(files().opened(fd).inode, options),
  fsync: (fd: number) => volume().sync(files().opened(fd).inode),
  read: (fd: number, buffer: Buffer, offset: number, length: number, position: number) =>
    files().read(fd, buffer, { offset, length, position }),
  write: (fd: number, data: Data) => files().write(fd, bytesOf(data)),
  ftruncate: (fd: number, length: number) => files().truncate(fd, length),
  lstat: (path: string, options?: StatOptions) => statPath(path, false, options),
  stat: (path: string, options?: StatOptions) => statPath(path, true, options),
  readlink: (path: string) => files().readlink(path),
  readdir: (path: string, options?: { readonly withFileTypes?: boolean }) => {
    const { inode } = files().need(path, true);
    if (inode.kind !== "folder") throw systemError("ENOTDIR", "scandir", path);
    const entries = [...inode.entries];
    if (options?.withFileTypes !== true) return entries.map(([name]) => name);
    return entries.map(([name, { kind }]) => ({ name, parentPath: path, ...kindMethods(kind) }));
  },
  mkdir: (path: string, options?: number | MakeOptions) => {
    if (typeof options === "object" && options.recursive === true) return makeAll(path);
    const spot = files().spot(path);
    if (spot.inode !== undefined) throw systemError("EEXIST", "mkdir", path);
    volume().make("folder", spot);
  },
  rmdir: (path: string) => {
    const spot = files().need(path, false);
    if (spot.inode.kind !== "folder") throw systemError("ENOTDIR", "rmdir", path);
    if (spot.inode.entries.size > 0) throw systemError("ENOTEMPTY", "rmdir", path);
    volume().remove(spot);
  },
  unlink: (path: string) => {
    const spot = files().need(path, false);
    if (spot.inode.kind === "folder") throw systemError("EISDIR", "unlink", path);
    volume().remove(spot);
  },
  rm: (path: string, options?: { readonly force?: boolean }) => {
    const spot = files().spot(path);
    if (spot.inode === undefined && options?.force !== true) throw systemError("ENOENT", "rm", path);
    if (spot.inode !== undefined) volume().remove(spot);
  },
  rename: (from: string, to: string) => volume().rename(files().need(from, false), files().spot(to)),
  link: (from: string, to: string) => {
    const { inode } = files().need(from, false);
    const spot = files().spot(to);
    if (spot.inode !== undefined) throw systemError("EEXIST", "link", to);
    if (inode.kind === "folder") throw systemError("EPERM", "link", from);
    volume().link(inode, spot);
  },
  symlink: (target: string, path: string) => {
    const spot = files().spot(path);
    if (spot.inode !== undefined) throw systemError("EEXIST", "symlink", path);
    volume().make("link", spot).target = target;
  },
  chmod: (path: string, mode: number) => {
    files().need(path, true).inode.mode = mode;
  },
  copyFile: (from: string, to: string) => {
    const bytes = files().content(from);
    const spot = files().spot(to);
    if (spot.inode !== undefined) throw systemError("EEXIST", "copyfile", to);
    volume().write(volume().make("file", spot), bytes);
  },
  readFile: (path: string | number, encoding?: string | { readonly encoding?: string }) => {
    const bytes = files().content(path);
    return encoding === undefined ? Buffer.from(bytes) : bytes.toString("utf8");
  },
  writeFile: (path: string | number, data: Data, options?: { readonly flag?: string }) => {
    if (typeof path === "number") return void files().write(path, bytesOf(data));
    const fd = files().open(path, options?.flag ?? "w");
    try {
      files().write(fd, bytesOf(data));
    } finally {
      files().close(fd);
    }
  },
  realpath: (path: string) => {
    files().need(path, true);
    return path;
  },
  statfs: () => ({ type: 0xef53, bavail: 1e6, bsize: 4096, blocks: 1e7 }),
};

type Calls = typeof calls;
type Name = keyof Calls;
const names = Object.keys(calls) as Name[]; // of the object above

function syncCall<N extends Name>(name: N): Calls[N] {
  const act = calls[name] as (...values: unknown[]) => unknown; // one signature for all
  return ((...values: unknown[]) => currentMachine().call(() => act(...values))) as Calls[N];
}

function laterCall(name: Name): (...values: unknown[]) => Promise<unknown> {
  const act = calls[name] as (...values: unknown[]) => unknown; // one signature for all
  return (...values) => currentMachine().callLater(() => act(...values));
}

function callback(name: Name): (...values: unknown[]) => void {
  const later = laterCall(name);
  const call = (...values: unknown[]) => {
    const done = values.pop() as (error: unknown, value?: unknown) => void; // callbacks come last
    later(...values).then(
      (value) => done(null, value),
      (error: unknown) => done(error),
    );
  };
  // Matches `fs.read`, whose promise has two values.
  if (name === "read")
    Object.defineProperty(call, promisify.custom, {
      value: async (...values: unknown[]) => ({ bytesRead: await later(...values) }),
    });
  return call;
}

const promised = Object.fromEntries(names.map((name) => [name, laterCall(name)]));

export const promises = {
  ...promised,
  open: async (path: string, flags?: string) => {
    const later = (act: () => unknown) => currentMachine().callLater(act);
    const fd = await currentMachine().callLater(() => calls.open(path, flags));
    const close = () => later(() => calls.close(fd));
    return {
      fd,
      writeFile: (data: Data) => later(() => calls.writeFile(fd, data)),
      sync: () => later(() => calls.fsync(fd)),
      close,
      [Symbol.asyncDispose]: close,
    };
  },
};

export const fs: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(names.map((name) => [`${name}Sync`, syncCall(name)])),
  ...Object.fromEntries(names.map((name) => [name, callback(name)])),
  existsSync: (path: string) => currentMachine().call(() => exists(path)),
  promises,
};

function exists(path: string): boolean {
  try {
    return files().spot(path, true).inode !== undefined;
  } catch {
    return false;
  }
}

function statPath(path: string, follows: boolean, options: StatOptions = {}) {
  if (options.throwIfNoEntry !== false) return stats(files().need(path, follows).inode, options);
  try {
    const { inode } = files().spot(path, follows);
    return inode === undefined ? undefined : stats(inode, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of a call above
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function stats(inode: Inode, { bigint = false }: StatOptions = {}) {
  return bigint ? bigStatsOf(inode) : statsOf(inode);
}

function makeAll(path: string): void {
  const parts = path.split("/").filter((part) => part !== "");
  for (let count = 1; count <= parts.length; count += 1) {
    const spot = files().spot(`/${parts.slice(0, count).join("/")}`, true);
    if (spot.inode === undefined) volume().make("folder", spot);
    else if (spot.inode.kind !== "folder") throw systemError("EEXIST", "mkdir", path);
  }
}

function bytesOf(data: Data): Buffer {
  return typeof data === "string" ? Buffer.from(data) : Buffer.from(data);
}

function files(): Files {
  return currentMachine().files;
}

function volume() {
  return currentMachine().volume;
}
