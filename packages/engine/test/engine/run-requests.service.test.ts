import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, startRun } from "../../src/testing/drive-runs.ts";
import { openTestEngine } from "../../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile } from "../test-catalog.ts";
import { openCatalogEngine } from "./open-catalog-engine.ts";

const { engine, root } = await openCatalogEngine();
const runCount = () => engine.runs.list(caller, {}).total;

describe("an idempotency key", () => {
  it("names its run after a restart, and distinguishes requests by their fingerprint", async () => {
    const open = () => openTestEngine(root, { stateFolder: join(root, "again"), jobs: 1, executor: catalogExecutor() });
    const request = (n: number, fingerprint?: unknown) => ({
      body: { network: "shout-all", name: `upload ${n}`, inputs: { texts: [catalogFile("one.txt")] } },
      idempotencyKey: "key",
      fingerprint,
    });
    const first = await open();
    const { run, replayed } = await first.runs.create(caller, request(1, { same: "content" }));
    await first.stop("drain");
    const second = await open();
    const again = await second.runs.create(caller, request(2, { same: "content" }));
    assert.deepEqual([replayed, again.replayed, again.run.run_id], [false, true, run.run_id]);
    await assert.rejects(second.runs.create(caller, request(1)), { code: "idempotency-key-reused" });
    const other = await second.runs.create({ ...caller, principal: "bob" }, request(1));
    assert.equal(other.replayed, false);
    await second.stop("drain");
  });
});

describe("a server with the maximum number of open runs", () => {
  it("refuses a new run, but still returns the run of a known key", async () => {
    const full = await openTestEngine(root, {
      stateFolder: join(root, "full"),
      jobs: 1,
      maxOpenRuns: 1,
      executor: catalogExecutor(),
    });
    const ask = (key: string) =>
      full.runs.create(caller, { body: { tool: "act", inputs: { how: "hang" } }, idempotencyKey: key });
    const { run } = await ask("first");
    await assert.rejects(ask("second"), { code: "queue-full" });
    assert.equal((await ask("first")).run.run_id, run.run_id);
    await full.runs.abort(caller, run.run_id, 20_000);
    assert.notEqual((await ask("third")).run.run_id, run.run_id);
    await full.stop("cancel");
  });
});

describe("an invalid request", () => {
  const inputs = { texts: [catalogFile("one.txt")] };
  const cases: Readonly<Record<string, readonly [CreateRun, string, Partial<Refusal["errors"][number]>]>> = {
    "a location that cannot be decoded": [
      { network: "shout-all", inputs: { texts: [catalogFile("%zz")] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location" },
    ],
    "a location that no file can have": [
      { network: "shout-all", inputs: { texts: [catalogFile("a".repeat(300))] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location" },
    ],
    "a location that is not a string": [
      { network: "shout-all", inputs: { texts: [{ class: "File", location: 7 }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0" },
    ],
    "secondary files that are not a list": [
      { network: "shout-all", inputs: { texts: [{ ...catalogFile("one.txt"), secondaryFiles: "x" }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0" },
    ],
    "an unknown network": [{ network: "nowhere" }, "network-not-found", {}],
    "an unknown version": [{ tool: "shout", version: "9", inputs }, "version-not-found", {}],
    "neither network nor tool": [{ inputs }, "invalid-body", { pointer: "/network" }],
    "a missing input": [
      { network: "shout-all", inputs: {} },
      "invalid-inputs",
      { pointer: "/inputs/texts", code: "missing" },
    ],
    "a wrong type": [
      { network: "shout-all", inputs: { texts: "one.txt" } },
      "invalid-inputs",
      { pointer: "/inputs/texts" },
    ],
    "a wrong type deep inside": [
      { network: "shout-all", inputs: { texts: [catalogFile("one.txt"), 7] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/1" },
    ],
    "a missing file": [
      { network: "shout-all", inputs: { texts: [catalogFile("one.txt"), catalogFile("three.txt")] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/1/location", code: "missing-file" },
    ],
    "a file outside the allowed folders": [
      { network: "shout-all", inputs: { texts: [{ class: "File", location: "/etc/passwd" }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location", code: "file-not-allowed" },
    ],
    "a path without its folders": [
      { network: "shout-all", inputs: { texts: [{ class: "File", path: "my notes/one.txt" }] } },
      "invalid-inputs",
      { code: "file-not-allowed", detail: "my notes/one.txt is not a whole path or address" },
    ],
    "a path that climbs out": [
      { network: "shout-all", inputs: { texts: [catalogFile("../../state/weft.db")] } },
      "invalid-inputs",
      { code: "missing-file" },
    ],
    "a URL of another server": [
      { network: "shout-all", inputs: { texts: [{ class: "File", location: "http://127.0.0.1:1/x" }] } },
      "invalid-inputs",
      { code: "file-not-allowed" },
    ],
    "a misspelled input": [
      { network: "shout-all", inputs: { ...inputs, nota: "x" } },
      "invalid-inputs",
      { pointer: "/inputs/nota" },
    ],
    "a document with an error in line 12": [
      { network: "broken", inputs: {} },
      "invalid-document",
      { file: "networks/broken/broken.cwl", line: 12 },
    ],
  };
  for (const [name, [body, code, error]] of Object.entries(cases))
    it(`refuses ${name} and starts nothing`, async () => {
      const before = runCount();
      const refusal = await startRun(engine, body).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(refusal instanceof Refusal, String(refusal));
      assert.equal(refusal.code, code);
      const [first = {}] = refusal.errors;
      for (const [field, value] of Object.entries(error))
        assert.deepEqual((first as Record<string, unknown>)[field], value, JSON.stringify(refusal.errors));
      assert.equal(runCount(), before);
    });

  it("refuses a link that leads out of a data folder", async () => {
    await symlink("/etc/hostname", join(root, "catalog", "data", "leak.txt"));
    await assert.rejects(startRun(engine, { network: "shout-all", inputs: { texts: [catalogFile("leak.txt")] } }), {
      code: "invalid-inputs",
    });
  });
});
