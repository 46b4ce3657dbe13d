import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { pinnedNode } from "../build.mjs";

/** Call this first: hands a command over to the pinned Node if another Node (20 or newer) started it. */
export function onPinnedNode() {
  const node = pinnedNode();
  if (realpathSync(node) === realpathSync(process.execPath)) return;
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: "inherit" });
  process.exit(status ?? 1);
}
