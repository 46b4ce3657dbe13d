import { join } from "node:path";
import { watch } from "chokidar";

const SETTLE_MS = 150;

/** Calls `changed` shortly after the last of several changes below the catalog's tools and networks. */
export function watchCatalog(root: string, changed: () => void): { close(): Promise<void> } {
  const watcher = watch([join(root, "tools"), join(root, "networks")], { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  watcher.on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  });
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
