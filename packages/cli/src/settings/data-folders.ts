import { existsSync } from "node:fs";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/exit.ts";

const RESERVED_NAMES = new Set(["catalog", "uploads", "runs", "wes-documents"]);

/** The folders of `--data NAME=DIR`, by name, from which inputs may come. */
export function readDataFolders(settings: Settings): Record<string, string> {
  const folders = readFolders(settings, "data");
  for (const name of Object.keys(folders))
    if (RESERVED_NAMES.has(name))
      throw new UsageError(`--data ${name}=…: Weft uses the name "${name}" itself; choose another name`);
  return folders;
}

/** `NAME=DIR`, repeatable. */
export function readFolders(settings: Settings, flag: "data" | "sink"): Record<string, string> {
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
