import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { until } from "@weft/engine/testing/until.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";
import { startServer } from "./serving.ts";

const root = temporaryFolder();

/** Every checksum of an output object with its place, whatever the locations are. */
function checksums(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { checksum, basename } = value as { readonly checksum?: unknown; readonly basename?: unknown };
  const own = typeof checksum === "string" ? [`${place} ${String(basename)} ${checksum}`] : [];
  return [...own, ...Object.entries(value).flatMap(([name, item]) => checksums(item, `${place}/${name}`))];
}

describe("weft run and weft serve", () => {
  const network = join(import.meta.dirname, "../../catalog/networks/imaging-cohort");

  it("give the same output object and checksums for the imaging network", async () => {
    const outdir = join(root, "out");
    const inputFile = join(network, "examples/two-subjects-fixed.yml");
    const local = await expectSuccess(["run", "--outdir", outdir, join(network, "imaging-cohort.cwl"), inputFile]);
    const outputs: unknown = JSON.parse(local.stdout);
    const server = await serve(["--state", join(root, "same")]);
    const client = createClient(server.address);
    const { examples } = await client("GET /api/networks/{id}", { params: { id: "imaging-cohort" } });
    const inputs = examples.find(({ name }) => name === "two-subjects-fixed")?.inputs;
    assert.ok(inputs);
    const run = await untilRun(client, await startRun(client, { network: "imaging-cohort", inputs }));
    assert.equal(run.state, "COMPLETE");
    assert.ok(checksums(outputs).length >= 8);
    assert.deepEqual(checksums(run.outputs).toSorted(), checksums(outputs).toSorted());
    assert.match(await readFile(join(outdir, "report.html"), "utf8"), /<html/);
    await server.stop("SIGTERM");
  });
});

describe("weft serve", () => {
  it("resumes running jobs after kill -9 without running one twice", async () => {
    const state = join(root, "killed");
    const first = await startServer(["--state", state]);
    const client = createClient(first.address);
    const inputs = { count: 6, seconds: 1.5, children: 1 };
    const runId = await startRun(client, { network: "practice-load", inputs });
    const jobsOf = async (server: typeof client) =>
      (await server("GET /api/runs/{run_id}/jobs", { params: { run_id: runId }, query: { page_size: 100 } })).jobs;
    const running = async () => (await jobsOf(client)).filter(({ state }) => state === "RUNNING");
    let started = await running();
    await until(async () => started.length >= 2 || (started = await running()).length >= 2);
    await first.stop("SIGKILL");
    const second = await serve(["--state", state]);
    const again = createClient(second.address);
    const run = await untilRun(again, runId);
    assert.equal(run.state, "COMPLETE");
    const jobs = await jobsOf(again);
    assert.deepEqual([...new Set(jobs.map((job) => job.state))], ["COMPLETE"]);
    const attempts = new Map(jobs.map((job) => [job.job_id, job.attempt]));
    assert.deepEqual(
      started.map((job) => attempts.get(job.job_id)),
      started.map(() => 1),
    );
    // A job that the first server had not started yet gets a new attempt; no record says that the previous one ran.
    for (const { job_id: jobId } of jobs.filter(({ attempt }) => attempt > 1))
      assert.equal(await readFile(join(state, "runs", runId, "jobs", `${jobId}@1`, "record"), "utf8"), "");
    const { events } = await again("GET /api/events", { query: { page_size: 500 } });
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    await second.stop("SIGTERM");
  });

  it("lets only one server use a state folder, and names the other", async () => {
    const state = join(root, "held");
    const first = await startServer(["--state", state]);
    const message = new RegExp(`in use by another Weft process \\(${first.child.pid}\\)`);
    await expectExit(["serve", "--port", "0", "--state", state], 78, message);
    await first.stop("SIGKILL");
    const third = await serve(["--state", state]);
    assert.equal(await third.stop("SIGINT"), 0);
  });
});
