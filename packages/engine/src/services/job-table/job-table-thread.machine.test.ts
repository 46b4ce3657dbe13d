import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { promisify } from "node:util";
import { openForWriting } from "../../journal/open-database.ts";
import { JobTableThread } from "./job-table-thread.ts";

const folder = mkdtempSync(join(tmpdir(), "weft-job-table-"));
after(() => rmSync(folder, { recursive: true }));
const database = join(folder, "weft.db");
openForWriting(database, "fast").close();

const ASK = `const { JobTableThread } = await import(process.argv[2]);
const thread = new JobTableThread({ database: process.argv[3] });
console.log((await thread.order("run", { sort: "n" }, 1)).length);`;

it("a process ends although its thread could still be asked", async () => {
  const url = new URL("./job-table-thread.ts", import.meta.url).href;
  const script = join(folder, "ask.mjs");
  writeFileSync(script, ASK);
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, database], { timeout: 60_000 });
  assert.equal(stdout, "0\n");
});

it("a thread that cannot read the log says why, and the next question starts another", async () => {
  const thread = new JobTableThread({ database: join(folder, "none.db") });
  await assert.rejects(thread.times("run", 0), /thread of job tables ended/);
  await assert.rejects(thread.order("run", { sort: "n" }, 1), /thread of job tables ended/);
});
