import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import type { PruneReport } from "@weft/shared/records/storage-record.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";
import { startServer } from "./serving.ts";

const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", "echo made; echo more >other.txt"],
  inputs: {},
  stdout: "text.txt",
  outputs: { text: "stdout" },
};
const root = temporaryFolder({
  "catalog/tools/make/1.0.0/make.cwl": JSON.stringify(TOOL),
  "catalog/networks/": "",
});
const state = join(root, "state");

const SERVED = ["--state", state, "--catalog", join(root, "catalog")];

async function runToEnd(address: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const send: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
  const client = createClient(address, send);
  const runId = await startRun(client, { tool: "make", name: "night\u202e run" });
  await untilRun(client, runId, ({ end_time: end, storage }) => end !== null && storage !== null);
  return runId;
}

const exists = (runId: string) => existsSync(join(state, "runs", runId, "jobs/main@1/out/other.txt"));
const PRUNE = ["prune", "--state", state];
const prune = (...args: string[]) => expectSuccess([...PRUNE, ...args]);

describe("weft prune", () => {
  let finished = "";

  it("shows what it would remove while a server runs, and removes nothing without --yes", async () => {
    const server = await serve(SERVED);
    finished = await runToEnd(server.address);
    assert.match((await prune()).stdout, /^nothing to remove\n$/, "it ended a moment ago");
    const shown = await prune("--older-than", "0d");
    assert.match(shown.stdout, /WHAT +ID +NAME +TIME \(UTC\) +FREED\n/);
    assert.match(shown.stdout, new RegExp(`intermediate of a run +${finished} +night\\? run +\\d{4}-.* KiB\n`));
    assert.match(shown.stdout, /would free .* KiB\nNothing was removed\. Add --yes to remove it\.\n$/);
    const dry = JSON.parse((await prune("--older-than", "0d", "--yes", "--dry-run", "--json")).stdout) as PruneReport;
    assert.deepEqual([dry.dry_run, dry.entries_total], [true, 1]);
    assert.ok(exists(finished));
    const removed = await prune("--older-than", "0d", "--yes");
    assert.match(removed.stdout, /freed .* KiB\n$/);
    assert.equal(exists(finished), false);
    await server.stop("SIGTERM");
  });

  it("sends the access token in the folder to a server that requires one", async () => {
    const server = await serve([...SERVED, "--auth", "token"]);
    const token = await readFile(join(state, "access-token"), "utf8");
    const run = await runToEnd(server.address, { authorization: `Bearer ${token.trim()}` });
    await prune("--run", run, "--yes");
    assert.equal(exists(run), false);
    await server.stop("SIGTERM");
  });

  it("works on a folder that no server uses, even right after a server was killed", async () => {
    const server = await startServer(SERVED);
    const run = await runToEnd(server.address);
    await server.stop("SIGKILL");
    const removed = await prune("--run", run, "--all", "--yes");
    assert.match(removed.stdout, /outputs of a run/);
    assert.deepEqual([exists(run), existsSync(join(state, "runs", run, "outputs"))], [false, false]);
    const next = await serve(SERVED);
    const { url } = await createClient(next.address)("GET /api/runs/{run_id}", { params: { run_id: run } });
    assert.equal((await fetch(`${url}/files/outputs/text.txt`)).status, 410);
    await next.stop("SIGTERM");
  });

  const refusals: [string, string[], number, RegExp][] = [
    ["outputs of all runs", ["--outputs"], 2, /--outputs, --logs and --all require --run/],
    ["an invalid age", ["--older-than", "soon"], 2, /a number with m, h, d or w/],
    ["one word too many", ["everything"], 2, /too many arguments for 'prune'.*: everything/],
    ["a run that does not exist", ["--run", "019a9c5e-7b1a-7cc0-8000-000000000001", "--yes"], 1, /There is no run/],
  ];
  for (const [name, args, code, message] of refusals)
    it(`refuses ${name}`, async () => void (await expectExit([...PRUNE, ...args], code, message)));

  it("creates no state folder if there is none", async () => {
    const state = join(root, "typo");
    await expectExit(["prune", "--state", state], 2, /typo is not a state folder of Weft; set --state/);
    assert.equal(existsSync(state), false);
  });
});
