import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";

/** The kernel's files of control groups. What it refuses is an answer, not an error; a test may script it. */
export interface CgroupFiles {
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
  /** False where the kernel refused. */
  write(path: string, text: string): boolean;
  /** Names of the groups in a group. */
  list(path: string): readonly string[];
  /** False where there is none afterwards. */
  make(path: string): boolean;
  /** False where something is left in it. */
  remove(path: string): boolean;
  /** As `remove`, in another thread: the kernel takes about a millisecond. */
  removeLater(path: string): Promise<boolean>;
}

export const diskCgroupFiles: CgroupFiles = {
  read: (path) => orElse(() => readFileSync(path, "utf8"), undefined),
  // `cgroup.kill` may be written and not read; the kernel lets nobody create a file here.
  write: (path, text) => orElse(() => (writeFileSync(path, text), true), false),
  list: (path) =>
    orElse(
      () =>
        readdirSync(path, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => name),
      [],
    ),
  make: (path) => orElse(() => (mkdirSync(path, { recursive: true }), true), false),
  remove: (path) => orElse(() => (rmdirSync(path), true), false),
  removeLater: (path) =>
    rmdir(path).then(
      () => true,
      () => false,
    ),
};

function orElse<Value>(act: () => Value, otherwise: Value): Value {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
