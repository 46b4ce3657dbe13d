import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// Files below /proc. Processes end during a search, and those of other accounts hide some files: an unreadable file
// counts as empty.

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

export function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
