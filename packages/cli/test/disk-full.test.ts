import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { createClient } from "@weft/shared/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { startServer, weft } from "./serving.ts";
import type { Served } from "./serving.ts";

const disk = await mkdtemp(join(tmpdir(), "weft-full-"));
const isMounted =
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "none", disk]).status === 0;
const served: Served[] = [];
after(async () => {
  for (const server of served) await server.stop("SIGKILL");
  if (isMounted) spawnSync("umount", ["-l", disk]);
  await rmdir(disk);
});

const skip = isMounted ? false : "a small disk can only be mounted by root on Linux";

it("a full disk refuses new runs, ends nothing, and is over when there is room", { skip }, async () => {
  const server = await startServer(["--state", join(disk, "state")], { direct: true });
  served.push(server);
  const client = createClient(server.address);
  const body = { network: "practice-load", inputs: { count: 2, seconds: 1, children: 1 } };
  const { run_id: runId } = (await client("POST /api/runs", { body })) as Run; // not a dry run
  const read = () => client("GET /api/runs/{run_id}", { params: { run_id: runId } });
  const until = async (isSo: (run: Run) => boolean): Promise<Run> => {
    for (;;) {
      const run = await read();
      if (isSo(run)) return run;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(({ job_counts: counts }) => (counts.RUNNING ?? 0) > 0);
  await assert.rejects(writeFile(join(disk, "filler"), Buffer.alloc(32 * 1024 ** 2)), { code: "ENOSPC" });
  const refused = await fetch(`${server.address}/api/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "30"]);
  assert.equal(((await refused.json()) as { readonly code: string }).code, "disk-full");
  // Its jobs end, with or without having written their lines; that cannot be on record yet.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.equal(isFinal((await read()).state), false);
  await rm(join(disk, "filler"));
  await until(({ state }) => isFinal(state));
  const { run_id: nextId } = (await client("POST /api/runs", { body })) as Run;
  assert.notEqual(nextId, runId);
  const { events } = await client("GET /api/events", { query: { page_size: 500 } });
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  await server.stop("SIGTERM");
  const audit = await weft(["audit", "--state", join(disk, "state")]);
  assert.equal(audit.code, 0, audit.stderr);
  // The start, two runs, the refused one, and the end.
  assert.match(audit.stdout, / 5 entries, 1 to 5, /);
});
