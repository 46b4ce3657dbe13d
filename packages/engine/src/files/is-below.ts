import { isAbsolute, relative, sep } from "node:path";

/** True for the folder itself and everything below it; both absolute and with links resolved. */
export function isBelow(path: string, folder: string): boolean {
  // Most paths are that simple, and `relative` is slow.
  if (path.startsWith(folder)) {
    const rest = path.slice(folder.length);
    if (rest.startsWith(sep) && !rest.includes(`${sep}..`)) return true;
  }
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
