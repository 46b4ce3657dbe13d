import { toJobPath, type JobPath } from "../model/safe-name.ts";

/** For tests, whose texts are known to be paths. */
export function jobPath(text: string): JobPath {
  const path = toJobPath(text);
  if (path === undefined) throw new Error(`a test uses an unsafe path: ${text}`);
  return path;
}
