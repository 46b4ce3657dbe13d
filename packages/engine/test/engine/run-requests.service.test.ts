import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, startRun } from "../../src/testing/drive-runs.ts";
import { catalogFile, serveCatalog } from "../test-catalog.ts";

const { engine, root } = await serveCatalog();
const runCount = () => engine.runs.list(caller, {}).total;

describe("an idempotency key", () => {
  it("names its run after a restart, and distinguishes requests by their fingerprint", async () => {
    const { engine: first, restart } = await serveCatalog({ jobs: 1 });
    const request = (n: number, fingerprint?: unknown) => ({
      body: { network: "shout-all", name: `upload ${n}`, inputs: { texts: [catalogFile("one.txt")] } },
      idempotencyKey: "key",
      fingerprint,
    });
    const { run, replayed } = await first.runs.create(caller, request(1, { same: "content" }));
    const second = await restart("drain");
    const again = await second.runs.create(caller, request(2, { same: "content" }));
    assert.deepEqual([replayed, again.replayed, again.run.run_id], [false, true, run.run_id]);
    await assert.rejects(second.runs.create(caller, request(1)), { code: "idempotency-key-reused" });
    const other = await second.runs.create({ ...caller, principal: "bob" }, request(1));
    assert.equal(other.replayed, false);
  });
});

describe("a server with the maximum number of open runs", () => {
  it("refuses a new run, but still returns the run of a known key", async () => {
    const { engine: full } = await serveCatalog({ jobs: 1, maxOpenRuns: 1 });
    const ask = (key: string) =>
      full.runs.create(caller, { body: { tool: "act", inputs: { how: "hang" } }, idempotencyKey: key });
    const { run } = await ask("first");
    await assert.rejects(ask("second"), { code: "queue-full" });
    assert.equal((await ask("first")).run.run_id, run.run_id);
    await full.runs.abort(caller, run.run_id, 20_000);
    assert.notEqual((await ask("third")).run.run_id, run.run_id);
  });
});

describe("an invalid request", () => {
  type Expected = Partial<Refusal["errors"][number]>;
  async function refused(body: CreateRun, code: string, error: Expected): Promise<void> {
    const before = runCount();
    const refusal: unknown = await startRun(engine, body).catch((thrown: unknown) => thrown);
    assert.ok(refusal instanceof Refusal, String(refusal));
    assert.equal(refusal.code, code);
    assert.partialDeepStrictEqual(refusal.errors[0] ?? {}, error);
    assert.equal(runCount(), before);
  }

  const one = catalogFile("one.txt");
  const FILES: Readonly<Record<string, readonly [texts: unknown, error: Expected]>> = {
    "a location that cannot be decoded": [[catalogFile("%zz")], { pointer: "/inputs/texts/0/location" }],
    "a location that no file can have": [[catalogFile("a".repeat(300))], { pointer: "/inputs/texts/0/location" }],
    "a location that is not a string": [[{ class: "File", location: 7 }], { pointer: "/inputs/texts/0" }],
    "secondary files that are not a list": [[{ ...one, secondaryFiles: "x" }], { pointer: "/inputs/texts/0" }],
    "a missing input": [undefined, { pointer: "/inputs/texts", code: "missing" }],
    "a wrong type": ["one.txt", { pointer: "/inputs/texts" }],
    "a wrong type deep inside": [[one, 7], { pointer: "/inputs/texts/1" }],
    "a missing file": [[one, catalogFile("no")], { pointer: "/inputs/texts/1/location", code: "missing-file" }],
    "a file outside the allowed folders": [
      [{ class: "File", location: "/etc/passwd" }],
      { pointer: "/inputs/texts/0/location", code: "file-not-allowed" },
    ],
    "a path without its folders": [
      [{ class: "File", path: "my notes/one.txt" }],
      { code: "file-not-allowed", detail: "my notes/one.txt is not a whole path or address" },
    ],
    "a path that climbs out": [[catalogFile("../../state/weft.db")], { code: "missing-file" }],
    "a URL of another server": [[{ class: "File", location: "http://127.0.0.1:1/x" }], { code: "file-not-allowed" }],
  };
  for (const [name, [texts, error]] of Object.entries(FILES))
    it(`refuses ${name} and starts nothing`, () =>
      refused({ network: "shout-all", inputs: texts === undefined ? {} : { texts } }, "invalid-inputs", error));

  const inputs = { texts: [one] };
  const OTHERS: Readonly<Record<string, readonly [CreateRun, string, Expected]>> = {
    "an unknown network": [{ network: "nowhere" }, "network-not-found", {}],
    "an unknown version": [{ tool: "shout", version: "9", inputs }, "version-not-found", {}],
    "neither network nor tool": [{ inputs }, "invalid-body", { pointer: "/network" }],
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
  for (const [name, [body, code, error]] of Object.entries(OTHERS))
    it(`refuses ${name} and starts nothing`, () => refused(body, code, error));

  it("refuses a link that leads out of a data folder", async () => {
    await symlink("/etc/hostname", join(root, "catalog", "data", "leak.txt"));
    const body = { network: "shout-all", inputs: { texts: [catalogFile("leak.txt")] } };
    await assert.rejects(startRun(engine, body), { code: "invalid-inputs" });
  });
});
