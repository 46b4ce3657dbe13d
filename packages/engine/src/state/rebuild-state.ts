import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { rebuildTables, type Rebuilt, type RebuildOptions } from "../journal/rebuild-tables.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { openStateFolder } from "./state-folder.ts";

/** Rebuilds on demand: a server does it when it starts. Rejects with StateFolderUnusable, also if a server uses the folder. */
export async function rebuildState(
  stateFolder: string,
  options: Pick<RebuildOptions, "features" | "onProgress">,
): Promise<Rebuilt> {
  const root = resolve(stateFolder);
  if (!existsSync(join(root, "weft.db")))
    throw new StateFolderUnusable(`there is no Weft state folder at ${root} (weft.db is missing)`);
  const folder = await openStateFolder(root);
  try {
    return (await rebuildTables(folder.database, { ...options, always: true })) ?? { events: 0, unreadable: [] };
  } finally {
    folder.unlock();
  }
}
