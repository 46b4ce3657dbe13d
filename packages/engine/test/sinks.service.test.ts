import assert from "node:assert/strict";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { columns } from "../src/testing/columns.ts";
import { caller, endedRun, runToEnd, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, TEST_CATALOG } from "./test-catalog.ts";

const executor = catalogExecutor();

const root = temporaryFolder({ ...TEST_CATALOG, "results/": "" });
const results = join(root, "results");
const open = () => openTestEngine(root, { executor, sinks: { folders: { results }, umask: 0o022 }, jobs: 2 });
let engine: Engine = await open();
after(() => engine.stop("cancel"));

const location = (name: string) => `weft-data://catalog/data/${name}`;
const file = (name: string) => ({ class: "File", location: location(name) });

const refusal = async (body: CreateRun): Promise<Refusal> => {
  const error: unknown = await startRun(engine, body).catch((reason: unknown) => reason);
  assert.ok(error instanceof Refusal, String(error));
  return error;
};
const read = (path: string) => readFile(join(results, path), "utf8");

describe("a run with destinations for its outputs", () => {
  it("copies them there by sample, and records their addresses", async () => {
    const run = await runToEnd(engine, {
      network: "shout-all",
      source_data: { texts: { "sub-a": location("one.txt"), "sub b": location("two.txt") } },
      sink_data: { louds: "vfs://results/first/{sample_id}/{basename}" },
    });
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    assert.equal(await read("first/sub b/two.loud.txt"), "TWO\n");
    const [one, two] = (run.outputs?.["louds"] ?? []) as { checksum: string }[];
    const at = (place: string) => `vfs://results/first/${place}.loud.txt`;
    assert.deepEqual(columns(run.placed, "output", "sample_id", "uri", "checksum", "size"), [
      ["louds", "sub-a", at("sub-a/one"), one?.checksum, 4],
      ["louds", "sub b", at("sub%20b/two"), two?.checksum, 4],
    ]);
    assert.deepEqual(run.sink_data, { louds: "vfs://results/first/{sample_id}/{basename}" });
  });

  it("names samples by a list next to the inputs, in any order of names", async () => {
    const run = await runToEnd(engine, {
      network: "shout-all",
      inputs: { texts: [file("one.txt"), file("two.txt")] },
      samples: { texts: ["10", "9"] },
      sink_data: { louds: "vfs://results/second/{sample_id}.txt" },
    });
    assert.deepEqual(run.samples, ["10", "9"]);
    assert.deepEqual([await read("second/10.txt"), await read("second/9.txt")], ["ONE\n", "TWO\n"]);
  });

  it("has the one sample of its single values in every job and destination", async () => {
    const run = await runToEnd(engine, {
      tool: "shout",
      source_data: { text: { "sub-c": location("one.txt") } },
      sink_data: { loud: "vfs://results/third/{sample_id}{nameext}" },
    });
    assert.deepEqual([run.samples, await read("third/sub-c.txt")], [["sub-c"], "ONE\n"]);
  });

  it("never replaces an existing file, reports it, and keeps its outputs", async () => {
    await writeFile(join(results, "taken.txt"), "mine");
    const run = await runToEnd(engine, {
      tool: "shout",
      inputs: { text: file("one.txt") },
      sink_data: { loud: "vfs://results/taken.txt" },
    });
    assert.deepEqual([run.state, run.outcome, run.state_reason?.code], ["SYSTEM_ERROR", "partial", "STAGE_OUT"]);
    assert.match(run.state_reason?.message ?? "", /vfs:\/\/results\/taken\.txt already exists/);
    assert.ok(run.state_reason?.hint !== undefined && run.outputs?.["loud"] !== undefined);
    assert.deepEqual([run.placed, await read("taken.txt")], [[], "mine"]);
  });

  it("copies the available outputs if some jobs fail", async () => {
    const run = await runToEnd(engine, {
      network: "act-all",
      inputs: { hows: ["0", "3"] },
      options: { on_failure: "continue" },
      sink_data: { logs: "vfs://results/part/{sample_id}.log", other: "vfs://results/part/other.log" },
    });
    assert.equal(run.outcome, "partial");
    assert.equal(run.state_reason?.code, "TOOL_EXIT");
    assert.deepEqual((await readdir(join(results, "part"))).sort(), ["0.log", "other.log"]);
    assert.equal(run.placed?.length, 2);
  });

  it("writes the origin next to each copy on request, and never over another file", async () => {
    const body = {
      network: "shout-all",
      inputs: { texts: [file("one.txt")] },
      sink_data: { louds: "vfs://results/told/{basename}" },
      options: { sidecars: true, cache: "off" },
    } as const;
    const run = await runToEnd(engine, body);
    const text = await read("told/one.loud.txt.prov.json");
    // PROV-JSON has this form.
    const prov = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>>>;
    assert.deepEqual(Object.keys(prov["activity"] ?? {}), [`run:${run.run_id}`, `run:${run.run_id}#job/shout-0`]);
    assert.match(String(prov["activity"]?.[`run:${run.run_id}#job/shout-0`]?.["weft:command"]), /shout/);
    const labels = new Set(Object.values(prov["entity"] ?? {}).map((entity) => entity["prov:label"]));
    assert.ok(labels.has("one.txt") && labels.has("one.loud.txt"), text);
    assert.ok(text.includes(run.run_id));
    assert.deepEqual(run.placed?.length, 1);
    const again = await runToEnd(engine, body);
    assert.equal(again.state, "COMPLETE", again.state_reason?.message ?? "");
    assert.equal(await read("told/one.loud.txt.prov.json"), text, "it tells of the run that put the file there");
    assert.deepEqual((await readdir(join(results, "told"))).sort(), ["one.loud.txt", "one.loud.txt.prov.json"]);
  });

  it("records no addresses without destinations", async () => {
    const run = await runToEnd(engine, { tool: "shout", inputs: { text: file("one.txt") } });
    assert.deepEqual([run.placed, run.sink_data], [undefined, undefined]);
  });
});

it("a server that ended between copying and its record copies again, and finds its own copies", async () => {
  const before = await runToEnd(engine, {
    tool: "shout",
    inputs: { text: file("two.txt") },
    sink_data: { loud: "vfs://results/crash/x.txt" },
  });
  await engine.stop("detach");
  const placedAt = (await stat(join(results, "crash/x.txt"))).mtimeMs;
  // The log of a server that ended before its last commit.
  const db = new DatabaseSync(join(root, "state", "weft.db"));
  const trigger = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'runs_final'").get()?.["sql"];
  db.exec("DROP TRIGGER runs_final");
  db.prepare("DELETE FROM events WHERE type = 'run.ended' AND run_id = ?").run(before.run_id);
  db.prepare(
    "UPDATE runs SET state = 'RUNNING', outcome = NULL, outputs = NULL, placed = NULL, ended_ms = NULL WHERE run_id = ?",
  ).run(before.run_id);
  db.exec(String(trigger));
  db.close();
  engine = await open();
  const again = await endedRun(engine, before.run_id);
  assert.deepEqual([again.state, again.placed], ["COMPLETE", before.placed]);
  assert.equal((await stat(join(results, "crash/x.txt"))).mtimeMs, placedAt);
});

describe("a request whose destinations or samples are wrong", () => {
  const inputs = { texts: [file("one.txt"), file("two.txt")] };
  const cases: Readonly<Record<string, readonly [Partial<CreateRun>, string, string]>> = {
    "a root that is not configured": [
      { sink_data: { louds: "vfs://etc/{basename}" } },
      "/sink_data/louds",
      "unknown-root",
    ],
    "too few names": [{ samples: { texts: ["a"] } }, "/samples/texts", "wrong-number"],
    "the same name twice": [{ samples: { texts: ["a", "a"] } }, "/samples/texts", "ambiguous"],
    "names for no input": [{ samples: { text: ["a"] } }, "/samples/text", "unknown-input"],
    "names for a value that is not a list": [{ samples: { note: ["a"] } }, "/samples/note", "no-list"],
  };
  for (const [name, [part, pointer, code]] of Object.entries(cases))
    it(`is refused for ${name}, at its position`, async () => {
      const { total } = engine.runs.list(caller, {});
      const error = await refusal({ network: "shout-all", inputs, ...part });
      assert.equal(error.code, "invalid-inputs");
      assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.code], [pointer, code]);
      assert.equal(engine.runs.list(caller, {}).total, total);
    });

  it("is refused for names in two forms", async () => {
    const twice = { source_data: { texts: { a: location("one.txt") } }, samples: { texts: ["a"] } };
    assert.equal((await refusal({ network: "shout-all", ...twice })).code, "invalid-body");
  });
});
