import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Reach } from "./reach.ts";
import { runLater, runNow } from "./steps.ts";

it("a reach refuses a pipe without waiting for it", { timeout: 5000 }, async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reach = new Reach({ regions: [{ folder }] });
  for (const run of [runNow, runLater]) await assert.rejects(async () => run(reach.openFile(pipe)), /neither a file/);
});
