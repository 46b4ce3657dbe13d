import { join } from "node:path";
import { watch } from "chokidar";

const SETTLE_MS = 150;

/**
 * Calls `changed` shortly after the last of several changes below the catalog's tools and networks, and once when it has
 * begun to see them: what was changed after the caller had read the catalog and before that is told by nothing else.
 */
export function watchCatalog(root: string, changed: () => void): { close(): Promise<void> } {
  const watcher = watch([join(root, "tools"), join(root, "networks")], { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  watcher.on("all", settle).on("ready", settle);
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
