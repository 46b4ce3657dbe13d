import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";

/** The section of the changelog about its newest version. */
export function releaseNotes() {
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const [, newest] = changelog.split(/^(?=## )/m);
  if (newest === undefined) throw new Error("CHANGELOG.md has no section of a version");
  return newest;
}
