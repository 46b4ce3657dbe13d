import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { needsRoot } from "@weft/tooling/lacks.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";
import { openStateFolder } from "./state-folder.ts";

const root = mkdtempSync(join(tmpdir(), "weft-state-"));
const readOnly = join(root, "read-only");
mkdirSync(readOnly);
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "ro,mode=0700", "none", readOnly]).status === 0;
after(() => {
  if (isMounted) spawnSync("umount", ["-l", readOnly]);
  rmSync(root, { recursive: true });
});
const skip = isMounted ? false : needsRoot("mounts a disk") || "mounts a disk, which this container forbids";

it("a state folder is refused if its disk is read-only", { skip }, async () => {
  for (const [path, why] of [
    [readOnly, /is not writable \(EROFS\).*mounted/],
    [join(readOnly, "new"), /cannot be created: .*--state/],
  ] as const)
    await assert.rejects(
      openStateFolder(path),
      (error) => error instanceof StateFolderUnusable && why.test(error.message),
    );
});
