import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { NewEvent } from "@weft/engine/journal/journal-event.ts";
import { openSqliteJournal } from "@weft/engine/journal/sqlite-journal.ts";
import { scatterNetwork, strings, writeScatterCatalog } from "@weft/engine/testing/scatter-catalog.ts";
import { WatchedServer } from "./watched-server.ts";

const MAX_START_MS = 5_000;
const MAX_BYTES = 600 * 1024 ** 2;
const JOBS = 100_000;

const root = await mkdtemp(join(tmpdir(), "weft-poisoned-"));
after(() => rm(root, { recursive: true }));
const state = join(root, "state");
const runIds = Array.from({ length: 4 }, (_, at) => `019a9c5e-7b1a-7cc0-8000-00000000000${at}`);
const [bomb = "", wide = "", deep = "", lost = ""] = runIds;

const blob = (text: string) => ({ digest: `sha256:${createHash("sha256").update(text).digest("hex")}`, text });

function created(runId: string, network: string, inputs: string): NewEvent {
  const [document, given] = [blob(scatterNetwork(network)), blob(inputs)];
  return {
    type: "run.created",
    run_id: runId,
    actor: "ann",
    data: {
      kind: "network",
      process_id: network,
      process_version: null,
      process_digest: "sha256:other",
      name: network,
      tags: {},
      options: {},
      document: document.digest,
      document_uri: `weft-data://catalog/networks/${network}/${network}.cwl`,
      inputs: given.digest,
      samples: {},
      steps: [{ step: "s", jobs_total: 0, jobs_total_is_final: false }],
    },
    blobs: [document, given],
  };
}

/** As a server recorded it that queued everything at once. */
function queued(n: number): NewEvent {
  const call = `s[${n - 1}]`;
  return {
    type: "job.queued",
    run_id: wide,
    job_id: `s-${n - 1}`,
    step: "s",
    actor: "engine",
    data: { call_id: call, n, scatter_index: [n - 1], tool: { id: null, version: null, class: "ExpressionTool" } },
  };
}

function ended(n: number, outputs: string): NewEvent {
  const nothing = { reason: null, exit_code: null, signal: null, cpu_ms: null, max_rss_bytes: null, files: [] };
  const data = { ...nothing, state: "COMPLETE" as const, outputs };
  return { type: "job.ended", run_id: wide, job_id: `s-${n - 1}`, step: "s", actor: "engine", data };
}

async function poison(): Promise<void> {
  const log = await openSqliteJournal(join(state, "weft.db"), "fast");
  const k = strings(1_000);
  const output = blob('{"o":"x"}');
  await log.append([
    created(bomb, "flat", JSON.stringify({ a: k, b: k, c: k })),
    created(wide, "each", JSON.stringify({ a: strings(JOBS) })),
    created(deep, "each", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    created(lost, "each", "{"),
  ]);
  const numbers = Array.from({ length: JOBS }, (_, at) => at + 1);
  for (let from = 0; from < JOBS; from += 10_000)
    await log.append(
      numbers.slice(from, from + 10_000).map((n, at) => ({ ...queued(n), ...(at === 0 ? { blobs: [output] } : {}) })),
    );
  // Half of them have ended.
  for (let from = 0; from < JOBS / 2; from += 10_000)
    await log.append(numbers.slice(from, from + 10_000).map((n) => ended(n, output.digest)));
  await log.close();
}

it("a server starts on a poisoned state folder, answers, and ends each run that cannot go on", async () => {
  await writeScatterCatalog(join(root, "catalog"));
  const args = ["--state", state, "--catalog", join(root, "catalog")];
  // Makes the folder, and tells how long a start takes on this machine now.
  const plainMs = performance.now();
  const first = await WatchedServer.start(args, async () => "");
  const mostMs = Math.max(MAX_START_MS, 2 * (performance.now() - plainMs));
  await first.served.stop("SIGTERM");
  await poison();
  const startMs = performance.now();
  const server = await WatchedServer.start(args, async () => bomb);
  const tookMs = performance.now() - startMs;
  const client = createClient(server.address);
  const run = (runId: string): Promise<Run> => client("GET /api/runs/{run_id}", { params: { run_id: runId } });
  const final = async (runId: string) => {
    for (;;) {
      const found = await run(runId);
      if (isFinal(found.state)) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const slowest: number[] = [];
  try {
    assert.ok(tookMs <= mostMs, `the server started in ${Math.round(tookMs)} ms`);
    const { value: runs, ...watched } = await server.watch(() => Promise.all([bomb, deep, lost].map(final)));
    assert.equal(runs[0]?.state_reason?.code, "LIMIT_EXCEEDED");
    assert.deepEqual([runs[1]?.state, runs[2]?.state], ["SYSTEM_ERROR", "SYSTEM_ERROR"]);
    // The wide one goes on, from where it was.
    for (let look = 0; look < 5; look++) {
      const { value: counts, ...later } = await server.watch(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return (await run(wide)).job_counts;
      });
      slowest.push(later.slowestMs);
      assert.ok((counts["COMPLETE"] ?? 0) >= JOBS / 2);
      assert.ok(later.peakBytes <= MAX_BYTES, `the server took ${Math.round(later.peakBytes / 1024 ** 2)} MiB`);
    }
    assert.ok(watched.peakBytes <= MAX_BYTES, `the server took ${Math.round(watched.peakBytes / 1024 ** 2)} MiB`);
    assert.ok(Math.min(...slowest) <= 300, `another client waited ${slowest.map(Math.round).join(", ")} ms`);
    await fetch(`${server.address}/api/runs/${wide}`, { method: "DELETE" });
    const aborted = await final(wide);
    assert.equal(aborted.state, "CANCELED");
    assert.equal(
      Object.values(aborted.job_counts).reduce((sum, count) => sum + count, 0),
      JOBS,
    );
  } finally {
    await server.served.stop("SIGKILL");
  }
});
