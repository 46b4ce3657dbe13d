import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { openTrustedFolder, type OpenFolder } from "../files/beneath/open-folder.ts";
import { runNow, type Steps } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import { holdsPlaceholder, type RunSecrets } from "./run-secrets.ts";

/** Lists the files of a job's folder that will contain secrets, before the first of them is written. */
const LIST = "secret-files.json";

/** Replaces placeholders in staged texts with their secrets, and records which files will contain secrets. */
export function revealStaging(
  entries: readonly StagingEntry[],
  secrets: RunSecrets,
  folder: string,
): readonly StagingEntry[] {
  if (secrets.isEmpty) return entries;
  const isSecret = (entry: StagingEntry) => entry.kind === "text" && holdsPlaceholder(entry.text);
  const paths = entries.filter(isSecret).map(({ target }) => target);
  writeFileSync(join(folder, LIST), JSON.stringify([join(folder, "launch"), ...paths]), { mode: 0o600 });
  return entries.map((entry) => (entry.kind === "text" ? { ...entry, text: secrets.reveal(entry.text) } : entry));
}

/**
 * Removes the files with secrets from the folder of an ended job: the launch file and files created for it. `kept`:
 * paths of outputs, which the tool publishes deliberately.
 */
export function wipeJob(folder: string, kept: ReadonlySet<string> = new Set()): void {
  const paths = secretFilesOf(folder).filter((path) => !kept.has(path));
  if (paths.length > 0) {
    using opened = runNow(openTrustedFolder(folder));
    for (const path of paths) runNow(removeBelow(opened, relative(folder, path).split(sep)));
  }
  rmSync(join(folder, LIST), { force: true });
}

/** The job may have replaced a folder in the path: follows no link. */
function* removeBelow(folder: OpenFolder, [name = "", ...deeper]: readonly string[]): Steps<void> {
  if (deeper.length === 0) return yield* folder.removeAll(name);
  try {
    using inner = yield* folder.folder(name);
    yield* removeBelow(inner, deeper);
  } catch (error) {
    if (!GONE.has(codeOf(error))) throw error;
  }
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Absolute paths of the files in the folder of an attempt that currently contain secrets. */
export function secretFilesOf(folder: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), "utf8")) as string[]; // written by `revealStaging`
  } catch (error) {
    // If a crash truncated the list, none of its files was written.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return [];
    throw error;
  }
}
