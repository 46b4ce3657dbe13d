import { isAbsolute, relative, sep } from "node:path";

/** True for the folder itself and everything below it; both absolute and without links. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
