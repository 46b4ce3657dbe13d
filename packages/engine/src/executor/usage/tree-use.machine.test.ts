import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import { treeUse } from "./tree-use.ts";

it(
  "treeUse measures the memory of a real program",
  { skip: process.platform !== "linux" && "there is no /proc" },
  async (t) => {
    const script = "x=$(head -c 67108864 /dev/zero | tr '\\0' x); echo up; read -r";
    const parent = spawn("bash", ["-c", `bash -c "$0"; :`, script], { stdio: ["pipe", "pipe", "ignore"] });
    t.after(() => parent.kill());
    await once(parent.stdout, "data");
    const [[, use] = []] = treeUse([parent.pid ?? 0]);
    assert.ok(use !== undefined && use.bytes > 64 * 1024 * 1024 && use.tasks >= 1, JSON.stringify(use));
    parent.stdin.end();
  },
);
