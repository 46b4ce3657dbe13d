import { provenanceOf } from "../src/testing/ask-runs.ts";
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { readZip } from "../src/archive/testing/unpack-zip.ts";
import { ReadPool } from "../src/read/read-pool.ts";
import type { provenanceTasks } from "../src/provenance/provenance-tasks.ts";
import { caller, CrateRuns, nested } from "./crate/crate-runs.ts";

const runs = await CrateRuns.open();
const { run_id: runId } = await runs.run(nested);
const state = join(runs.root, "state");

const script = new URL("../src/app/read-thread.ts", import.meta.url);

function folders() {
  const roots = { catalog: join(runs.root, "catalog"), runs: join(state, "runs"), uploads: join(state, "uploads") };
  const places = {
    data: [roots.catalog],
    root: state,
    runs: roots.runs,
    uploads: roots.uploads,
    downloads: join(state, "downloads"),
    imports: join(state, "imports"),
    wesDocuments: join(state, "wes-documents"),
  };
  return { roots, places, near: state };
}

describe("a document of a run that a thread builds", () => {
  it("is returned as text with its digest, and the archive contains the same texts", async () => {
    const provenance = provenanceOf(runs.engine);
    const zip = readZip(await buffer((await provenance.crateArchive(caller, runId)).open()));
    const named = (name: string) => zip.find((entry) => entry.name === name)?.content.toString();
    const [json, metadata] = await Promise.all([
      provenance.provJson(caller, runId),
      provenance.crateMetadata(caller, runId),
    ]);
    assert.equal(json.sha256, hash("sha256", json.bytes, "base64url"));
    assert.equal(metadata.content.toString(), named("ro-crate-metadata.json"));
    assert.deepEqual(JSON.parse(json.bytes.toString()), JSON.parse(named("provenance.prov.json") ?? ""));
  });

  it("continues for others when a client aborts an archive", async () => {
    const provenance = provenanceOf(runs.engine);
    const left = (await provenance.crateArchive(caller, runId)).open();
    left.destroy();
    const taken = (await provenance.crateArchive(caller, runId)).open();
    assert.ok(readZip(await buffer(taken)).length > 1);
    assert.ok(left.destroyed);
  });

  it("is refused by the thread, too, if the caller cannot see the run", async () => {
    const pool = new ReadPool(
      script,
      { database: join(state, "weft.db"), folders: folders(), limits: DEFAULT_LIMITS },
      () => {},
    );
    const reads = pool.of<typeof provenanceTasks>("provenance");
    const stranger = { ...caller, principal: "eve", othersRuns: "hidden" as const };
    const missing = { code: "run-not-found" };
    await assert.rejects(reads.text(stranger, "provJson", runId), missing);
    await assert.rejects(reads.text(stranger, "crateMetadata", runId), missing);
    await assert.rejects(reads.ask(stranger, "crate", runId), missing);
    const tolerance = { relative: 0, absolute: 0 };
    await assert.rejects(reads.ask(stranger, "comparison", [runId, runId], tolerance), missing);
    assert.equal((await reads.ask(caller, "comparison", [runId, runId], tolerance)).result, "identical");
  });

  it("fails at once when the thread crashes, and the next request gets a new thread", async () => {
    const database = join(runs.root, "later.db");
    const told = Promise.withResolvers<string>();
    const log = (level: string, message: string, fields?: object) =>
      told.resolve(`${level} ${message} ${JSON.stringify(fields)}`);
    const reads = new ReadPool(script, { database, folders: folders(), limits: DEFAULT_LIMITS }, log).of<
      typeof provenanceTasks
    >("provenance");
    await assert.rejects(reads.text(caller, "provJson", runId), /ended before it answered/);
    assert.match(await told.promise, /^error a thread of the read pool failed .*database/);
    for (const end of ["", "-wal"]) await copyFile(join(state, `weft.db${end}`), `${database}${end}`);
    assert.ok((await reads.text(caller, "provJson", runId)).bytes.length > 0);
  });
});
