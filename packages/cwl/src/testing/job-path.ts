import { toJobPath, type JobPath } from "../model/safe-name.ts";

/** A job path from a text that a test knows to be a path. */
export function jobPath(text: string): JobPath {
  const path = toJobPath(text);
  if (path === undefined) throw new Error(`a test uses an unsafe path: ${text}`);
  return path;
}
