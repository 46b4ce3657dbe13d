import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { probeFolder } from "./storage-problem.ts";

const folder = temporaryFolder();

test("a folder that several processes probe at once can be written", async () => {
  const module = new URL("./storage-problem.ts", import.meta.url).href;
  const script = `import { parentPort } from "node:worker_threads";
    const { probeFolder } = await import(${JSON.stringify(module)});
    const found = Array.from({ length: 300 }, () => probeFolder(${JSON.stringify(folder)}));
    parentPort.postMessage(found.filter((code) => code !== undefined));`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const answers = await Promise.all([1, 2, 3].map(async () => (await once(new Worker(url), "message"))[0] as unknown));
  assert.deepEqual(answers, [[], [], []]);
  assert.deepEqual(await readdir(folder), []);
});

test("a folder that is gone is reported", () => {
  assert.equal(probeFolder(join(folder, "missing")), "ENOENT");
});
