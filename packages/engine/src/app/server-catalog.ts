import { resolve } from "node:path";
import { oneAtATime } from "../async/one-at-a-time.ts";
import { Catalog } from "../catalog/catalog.ts";
import { watchCatalog } from "../catalog/watch-catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { EngineOptions } from "./engine-options.ts";

export interface ServerCatalog {
  readonly catalog: Catalog;
  /** Reads the catalog folder again. */
  readonly reload: () => Promise<void>;
  /** Reloads the catalog whenever its folder changes, until closed. */
  readonly watch: () => { close(): Promise<void> };
}

/** Loads the catalog; reports each folder with an invalid name once. */
export async function openServerCatalog(
  { catalogFolder, container, log }: Pick<EngineOptions, "catalogFolder" | "container" | "log">,
  journal: Journal,
): Promise<ServerCatalog> {
  const catalog = new Catalog(resolve(catalogFolder), container === "none");
  const reported = new Set<string>();
  const load = () =>
    catalog.load((path) => {
      if (!reported.has(path)) log("warn", "a catalog folder has an invalid id as its name", { path });
      reported.add(path);
    });
  // Two reads at a time could end in the wrong order, and the older state of the folder would stay.
  const reload = oneAtATime(async () => {
    try {
      if (!(await load())) return;
      await journal.append([{ type: "catalog.changed", run_id: null, actor: "engine", data: catalog.counts }]);
    } catch (error) {
      log("error", "the catalog could not be reloaded", { error: String(error) });
    }
  });
  await load();
  const failed = (error: unknown) =>
    log("warn", "a catalog folder cannot be watched; changes in it are not noticed", { error: String(error) });
  const watch = () => watchCatalog(catalog.root, { changed: () => void reload(), failed });
  return { catalog, reload, watch };
}
