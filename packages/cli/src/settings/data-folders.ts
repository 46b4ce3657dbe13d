import { statSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorText } from "@weft/engine/error-text.ts";
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
      return [name, found(flag, settings.resolve(folder), folder)];
    }),
  );
}

/** The absolute path of a folder that must exist, if the flag names one. */
export function existing(flag: string, settings: Pick<Settings, "text" | "resolve">): string | undefined {
  const folder = settings.text(flag);
  return folder === undefined ? undefined : found(flag, settings.resolve(folder), folder);
}

function found(flag: string, path: string, text: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new UsageError(`--${flag}: folder not found: ${text}`);
}

/** Throws UsageError for a folder, which may be new, that cannot be written to: before hours of work have no place to go. */
export async function checkWritable(flag: string, wanted: string | undefined): Promise<void> {
  for (let folder = wanted; folder !== undefined; folder = dirname(folder)) {
    const status = await stat(folder).catch(({ code }: NodeJS.ErrnoException) => code);
    if (status === "ENOENT") continue;
    if (status === "ENOTDIR" || (typeof status === "object" && !status.isDirectory()))
      throw new UsageError(`--${flag}: ${wanted} is a file or is inside one; choose a folder`);
    return access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
      throw new UsageError(`--${flag}: nothing can be written there: ${errorText(error)}; choose another folder`);
    });
  }
}
