import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { ThreadPool } from "./thread-pool.ts";

const POOL = new URL("./thread-pool.ts", import.meta.url).href;
const WORKER = `import { workerData } from "node:worker_threads";
import { serveTasks } from "${POOL}";
if (workerData === "broken") throw new Error("no disk");
serveTasks((greeting) => ({
  greet: (name) => greeting + name,
  hang: () => new Promise(() => {}),
  bytes: () => ({ bytes: Buffer.from("short") }),
}));`;
const folder = temporaryFolder({ "worker.mjs": WORKER });
const script = pathToFileURL(join(folder, "worker.mjs"));
const pool = (workerData?: string) => new ThreadPool({ script, workerData, width: 1 });
const greet = { queue: "", context: "Hello ", task: "greet", args: ["you"] };

it("lets the process exit although its thread is still open", async () => {
  const ask = `const { ThreadPool } = await import("${POOL}");
const threads = new ThreadPool({ script: new URL("${script}"), width: 1 });
console.log(await threads.ask(${JSON.stringify(greet)}));`;
  writeFiles(folder, { "ask.mjs": ask });
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "ask.mjs")], { timeout: 60_000 });
  assert.equal(stdout, "Hello you\n");
});

it("rejects when a thread crashes, and uses a new one for the next task", async () => {
  const threads = pool("broken");
  for (let tries = 0; tries < 2; tries++) await assert.rejects(threads.ask(greet), /a thread ended before it answered/);
});

it("ends a thread that takes too long", async () => {
  const threads = pool();
  const limit = { ms: 20, error: () => new Error("too long") };
  await assert.rejects(threads.ask({ queue: "", task: "hang", args: [], limit }), { message: "too long" });
  assert.equal(await threads.ask(greet), "Hello you");
  await threads.close();
});

it("copies bytes that share memory with other bytes", async () => {
  const threads = pool();
  const answer = await threads.ask({ queue: "", task: "bytes", args: [] });
  assert.deepEqual(answer, { bytes: Uint8Array.from(Buffer.from("short")) });
  await threads.close();
});
