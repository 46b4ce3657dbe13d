import { existsSync, realpathSync } from "node:fs";
import { isBelow } from "@weft/engine/files/is-below.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

const RESERVED_NAMES = new Set(["catalog", "uploads", "runs", "wes-documents"]);

/** The folders of `--data NAME=DIR`, by name, from which inputs may come. */
export function readDataFolders(settings: Settings): Record<string, string> {
  const folders = readFolders(settings, "data");
  for (const name of Object.keys(folders))
    if (RESERVED_NAMES.has(name))
      throw new UsageError(`--data ${name}=…: Weft uses the name "${name}" itself; choose another name`);
  return folders;
}

/** The folders of `--sink NAME=DIR`. Outputs of runs must not mix with the server's own files in its state folder. */
export function readSinkFolders(settings: Settings): Record<string, string> {
  const stateFolder = settings.stateFolder();
  const folders = readFolders(settings, "sink");
  for (const [name, folder] of Object.entries(folders)) {
    const real = realpathSync(folder);
    if (isBelow(stateFolder, real) || isBelow(real, stateFolder))
      throw new UsageError(`--sink ${name}=${folder} overlaps the state folder ${stateFolder}; choose another folder`);
  }
  return folders;
}

/** `NAME=DIR`, repeatable. */
function readFolders(settings: Settings, flag: "data" | "sink"): Record<string, string> {
  return Object.fromEntries(
    settings.list(flag).map((text) => {
      const [, name, folder] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/.exec(text) ?? [];
      if (name === undefined || folder === undefined) throw new UsageError(`--${flag} must be NAME=DIR, not "${text}"`);
      return [name, existing(flag, folder, settings)];
    }),
  );
}

/** The absolute path of a folder that must exist. */
export function existing(flag: string, folder: string, { resolve }: Pick<Settings, "resolve">): string {
  const path = resolve(folder);
  if (!existsSync(path)) throw new UsageError(`--${flag}: folder not found: ${folder}`);
  return path;
}
