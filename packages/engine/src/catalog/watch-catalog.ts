import { join } from "node:path";
import { watch } from "chokidar";

const SETTLE_MS = 150;

interface CatalogWatch {
  readonly changed: () => void;
  /**
   * Called for a folder that cannot be watched, for example because the account may not read it. Other folders are
   * still watched.
   */
  readonly failed: (error: unknown) => void;
}

/**
 * Calls `changed` shortly after the last of several changes below the catalog's tools and networks. Also calls it once
 * when watching has begun, because nothing else would report changes between the caller's read and that moment.
 */
export function watchCatalog(root: string, { changed, failed }: CatalogWatch): { close(): Promise<void> } {
  const watcher = watch([join(root, "tools"), join(root, "networks")], { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  watcher.on("all", settle).on("ready", settle).on("error", failed);
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
