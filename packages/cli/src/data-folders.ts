import { existsSync } from "node:fs";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

const RESERVED_NAMES = new Set(["catalog", "uploads", "runs"]);

/** The folders of `--data NAME=DIR`, by name. */
export function readDataFolders(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    settings.list("data").map((text) => {
      const [, name, folder] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/.exec(text) ?? [];
      if (name === undefined || folder === undefined) throw new UsageError(`--data must be NAME=DIR, not "${text}"`);
      if (RESERVED_NAMES.has(name))
        throw new UsageError(`--data ${name}=…: "${name}" is a name of Weft's own; choose another`);
      return [name, existing("data", folder)];
    }),
  );
}

/** The folder, if it is there. */
export function existing(flag: string, folder: string): string {
  if (!existsSync(folder)) throw new UsageError(`--${flag}: there is no folder ${folder}`);
  return folder;
}
