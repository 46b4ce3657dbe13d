import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, hash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { foldedContent } from "@weft/engine/journal/testing/folded-content.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

/**
 * State folders as released versions left them. Each server was killed in the middle of its last run. README.md in that
 * folder says how they were made.
 */
const RELEASED = new URL("released-states/", import.meta.url);
const VERSIONS = readdirSync(RELEASED).flatMap((name) => /^(.*)\.tar\.br$/.exec(name)?.[1] ?? []);
/** Numbers of runs by state, including the run that was open. */
const COUNTS = { COMPLETE: 95, EXECUTOR_ERROR: 3, CANCELED: 2 };

const root = temporaryFolder();

function unpack(version: string): string {
  const folder = mkdtempSync(join(root, `${version}-`));
  const archive = brotliDecompressSync(readFileSync(new URL(`${version}.tar.br`, RELEASED)));
  const done = spawnSync("tar", ["-x", "-C", folder, "--no-same-owner"], { input: archive });
  assert.equal(done.status, 0, String(done.stderr));
  return join(folder, "weft");
}

/** The relevant files: the database and its write-ahead log, which readers leave behind empty. */
function digestOf(state: string): string {
  const digest = createHash("sha256");
  for (const name of ["weft.db", "weft.db-wal"].filter((entry) => existsSync(join(state, entry)))) {
    const content = readFileSync(join(state, name));
    if (content.length > 0) digest.update(name).update(content);
  }
  return digest.digest("hex");
}

async function rebuild(state: string): Promise<string> {
  return (await expectSuccess(["rebuild", "--state", state])).stdout;
}

describe("a state folder of Weft", () => {
  for (const version of VERSIONS) {
    it(`${version} serves all its runs with this version, and finishes the open one`, async () => {
      const state = unpack(version);
      const server = await serve(["--state", state]);
      try {
        await inspect(server.address);
      } finally {
        await server.stop("SIGTERM");
      }
      const { stdout } = await weft(["verify", "--state", state]);
      assert.match(stdout, /nothing was changed/);
    });

    it(`${version} gets the same tables whenever they are rebuilt`, async () => {
      const state = unpack(version);
      assert.match(await rebuild(state), /: rebuilt the tables from [\d,]+ events\n$/);
      const before = foldedContent(join(state, "weft.db"));
      await rebuild(state);
      assert.deepEqual(foldedContent(join(state, "weft.db")), before);
    });
  }

  it("a state folder of a later version is refused, and nothing is changed", async () => {
    const state = unpack(VERSIONS[0] ?? "");
    await rebuild(state);
    {
      using db = new DatabaseSync(join(state, "weft.db"));
      db.exec("PRAGMA user_version = 999");
      db.exec("UPDATE events SET data = json_set(data, '$.version', '9.1.0') WHERE type = 'server.started'");
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    const before = digestOf(state);
    for (const words of [["serve", "--port", "0"], ["rebuild"]]) {
      const message = /a newer version of Weft \(log version 999; .* Weft 9\.1\.0\)\. Start that version/;
      await expectExit([...words, "--state", state], 78, message);
    }
    assert.equal(digestOf(state), before);
  });

  it("is not rebuilt while a server uses it", async (t) => {
    const state = join(root, "used");
    const server = await serve(["--state", state]);
    t.after(() => server.stop("SIGTERM"));
    await expectExit(["rebuild", "--state", state], 78, /in use by another Weft process/);
    const missing = await weft(["rebuild", "--state", join(root, "nothing")]);
    assert.deepEqual([missing.code, existsSync(join(root, "nothing"))], [78, false]);
  });
});

/** All runs are there, with their outputs and their provenance. */
async function inspect(address: string): Promise<void> {
  const client = createClient(address);
  const list = await client("GET /api/runs", { query: { page_size: 200 } });
  const runs = list.runs as RunSummary[]; // strings only with view=ids
  assert.equal(runs.length, 100);
  const open = runs.filter(({ state }) => !isFinal(state)).map(({ run_id: id }) => id);
  for (const id of open) await untilRun(client, id);
  const { run_counts: counts } = await client("GET /api/server", {});
  assert.deepEqual(counts, COUNTS);
  const texts = runs.find(({ network }) => network?.id === "text-statistics");
  const params = { run_id: texts?.run_id ?? "" };
  const { outputs } = await client("GET /api/runs/{run_id}", { params });
  const [file] = Object.values(outputs ?? {}).flat() as { location: string; checksum: string }[]; // its outputs are files
  const path = `/api/runs/${params.run_id}/files/outputs/${file?.location.split("/").at(-1)}`;
  const content = await (await fetch(address + path)).bytes();
  assert.equal(`sha1$${hash("sha1", content)}`, file?.checksum);
  const crate = await fetch(`${address}/api/runs/${params.run_id}/provenance?format=ro-crate-metadata`);
  assert.equal(crate.status, 200);
}
