import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";

/** The kernel's control group files. A refusal by the kernel is a result, not an exception. Tests can replace it. */
export interface CgroupFiles {
  /** Undefined if the file does not exist. */
  read(path: string): string | undefined;
  /** False if the kernel refused. */
  write(path: string, text: string): boolean;
  /** Names of the child groups. */
  list(path: string): readonly string[];
  /** False if the group does not exist afterwards. */
  make(path: string): boolean;
  /** False if it is not empty. */
  remove(path: string): boolean;
  /** Like `remove`, in another thread, because the kernel takes about a millisecond. */
  removeLater(path: string): Promise<boolean>;
}

export const diskCgroupFiles: CgroupFiles = {
  read: (path) => orElse(() => readFileSync(path, "utf8"), undefined),
  // `cgroup.kill` is write-only; the kernel allows no other files here.
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
