import assert from "node:assert/strict";
import { test } from "node:test";
import { adopting, measureTree } from "../bench/process-tree.mjs";
import { lacks } from "../lacks.ts";

const skip = lacks("perl") || (adopting().length === 0 && "adopts processes only on Linux");
test("CPU time includes processes that outlive their parents", { skip }, async () => {
  const burn = "while (process.cpuUsage().user < 200_000);";
  const { cpuMs, ownIdle } = await measureTree(["sh", "-c", `"$0" -e '${burn}' &`, process.execPath]);
  assert.ok(cpuMs >= 200, `${cpuMs} ms of CPU time`);
  assert.ok(ownIdle < 1);
});

test("the error about a command that fails contains its error output", async () => {
  await assert.rejects(measureTree(["sh", "-c", "echo broken >&2; exit 3"]), /ended with 3: broken/);
});
