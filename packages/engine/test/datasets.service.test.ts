import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventSchema } from "@weft/shared/events/event.ts";
import { NOT_CHOSEN } from "@weft/shared/dataset/narrow-result.ts";
import type { DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { TableFields } from "@weft/shared/records/table-record.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, retryRun, runToEnd, startRun } from "../src/testing/drive-runs.ts";
import { datasetsOf } from "../src/testing/ask-datasets.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { catalogExecutor, TEST_CATALOG } from "./test-catalog.ts";
import { runsOf, type TableQuestion } from "../src/testing/ask-runs.ts";
import { column, columns } from "../src/testing/columns.ts";

const DESCRIPTION = JSON.stringify({ Name: "Texts", BIDSVersion: "1.10.0" });

const FILES = {
  "secret/token.txt": "secret",
  "study/dataset_description.json": DESCRIPTION,
  "study/participants.tsv": "participant_id\tage\nsub-01\t70\nsub-02\t50\nsub-03\t64\nsub-04\t90\nsub-05\t91\n",
  "study/.bidsignore": "*_draft.txt\n",
  "study/task-read_beh.json": '{"Device": "paper"}',
  "study/sub-01/beh/sub-01_task-read_beh.txt": "one\n",
  "study/sub-01/beh/sub-01_task-read_draft.txt": "no\n",
  "study/sub-02/beh/sub-02_task-read_beh.txt": "two\n",
  "study/.annex/objects/three.txt": "three\n",
  "plain/inner/dataset_description.json": DESCRIPTION,
  "plain/s1/a_R1.txt": "1",
  "plain/s1/a_R2.txt": "2",
  "plain/s2/b_R1.txt": "3",
  "plain/notes.md": "x",
};
const LINKS = {
  "sub-03": "../../.annex/objects/three.txt",
  "sub-04": "../../.annex/objects/none.txt",
  "sub-05": "../../../secret/token.txt",
};
const folders = Object.fromEntries(Object.keys(LINKS).map((subject) => [`study/${subject}/beh/`, ""]));
const served = { executor: catalogExecutor(), data: ["study", "plain"] };
const { engine, root } = await serveFiles({ ...TEST_CATALOG, ...FILES, ...folders }, served);
for (const [subject, target] of Object.entries(LINKS))
  await symlink(target, join(root, `study/${subject}/beh/${subject}_task-read_beh.txt`));
await symlink("../secret", join(root, "study/sub-06"));
const datasets = datasetsOf(engine);

const FIELDS = { sub: "01", task: "read", suffix: "beh", age: 70 };
const QUERY: DatasetQuery = {
  location: "weft-data://study/",
  per: ["sub"],
  where: [
    { field: "suffix", op: "=", values: ["beh"] },
    { field: "age", op: ">", values: ["60"] },
  ],
  columns: [{ kind: "file", name: "texts", secondary: [".json"] }],
};
const OF_QUERY: CreateRun = { network: "shout-all", dataset: { query: QUERY } };

describe("datasets in data folders", () => {
  it("lists data folders and the datasets in them", async () => {
    assert.deepEqual(columns((await datasets.list(caller)).datasets, "location", "kind"), [
      ["weft-data://study/", "bids"],
      ["weft-data://plain/", "files"],
      ["weft-data://plain/inner/", "bids"],
      ["weft-data://catalog/", "files"],
    ]);
  });

  it("describes a dataset and lists its files by page", async () => {
    const detail = await datasets.detail(caller, { location: "weft-data://study" });
    assert.deepEqual([detail.title, detail.subjects, detail.problems_total], ["Texts", 5, 1]);
    assert.deepEqual(
      detail.fields.find(({ name }) => name === "age"),
      {
        ...{ name: "age", label: "age", source: "participants", distinct: 5, min: 50, max: 91 },
        values: ["50", "64", "70", "90", "91"].map((value) => ({ value, count: 1 })),
      },
    );
    const place = { location: "weft-data://study/", q: "SUB-0", from: 1, page_size: 1 };
    const { files, total } = await datasets.files(caller, place);
    assert.deepEqual([files.map(({ path }) => path), total], [["sub-02/beh/sub-02_task-read_beh.txt"], 5]);
  });

  it("finds samples behind links, and says which files cannot be read", async () => {
    const result = await datasets.query(caller, QUERY);
    assert.deepEqual(columns(result.samples, "name", "bytes"), [
      ["sub-01", 23],
      ["sub-03", 25],
    ]);
    const reasons = Object.fromEntries(result.left_out.map(({ name, reason }) => [name, reason]));
    const unreadable = (subject: string) =>
      `sub-${subject}/beh/sub-${subject}_task-read_beh.txt cannot be read: it is missing, or a link to somewhere else`;
    assert.deepEqual(
      [reasons["sub-02"], reasons["sub-04"], reasons["sub-05"]],
      ["age is 50, not > 60", unreadable("04"), unreadable("05")],
    );
  });

  it("reads fields of sidecars by inheritance", async () => {
    const where = [{ field: "json.Device", op: "=" as const, values: ["paper"] }];
    const { samples } = await datasets.query(caller, { ...QUERY, where });
    assert.deepEqual(column(samples, "name"), ["sub-01", "sub-02", "sub-03"]);
  });

  it("reads other folders by a pattern", async () => {
    const pattern = "{sample}/{part}_R{read}.txt";
    const all = await datasets.detail(caller, { location: "weft-data://plain/" });
    assert.deepEqual([all.kind, all.files, all.problems_total], ["files", 5, 0]);
    const { fields } = await datasets.detail(caller, { location: "weft-data://plain/", pattern });
    assert.deepEqual(column(fields, "name"), ["sample", "part", "read", "extension"]);
    const read = (value: string) => [{ field: "read", op: "=" as const, values: [value] }];
    const { samples, left_out: leftOut } = await datasets.query(caller, {
      ...{ location: "weft-data://plain/", pattern, per: ["sample"] },
      columns: [
        { kind: "file", name: "forward", where: read("1") },
        { kind: "file", name: "reverse", where: read("2") },
      ],
    });
    assert.deepEqual(column(samples, "name"), ["s1"]);
    assert.deepEqual(leftOut[0], { kind: "sample", name: "s2", reason: "read is 1, not 2" });
  });

  it("refuses folders without data, and patterns and queries with mistakes", async () => {
    const outside = ["runs/", "uploads/", "none/", "study/sub-06/"].map((path) => `weft-data://${path}`);
    for (const location of [...outside, "/etc/"]) {
      const query = { ...QUERY, location, pattern: "{x}" };
      await assert.rejects(datasets.query(caller, query), { code: "file-not-found" }, location);
    }
    const place = { location: "weft-data://plain/" };
    await assert.rejects(datasets.query(caller, { ...QUERY, ...place }), { code: "invalid-parameters" });
    await assert.rejects(datasets.detail(caller, { ...place, pattern: "{a}{b}" }), { code: "invalid-parameters" });
    const message = /no field "nothing"; it has sub, task/;
    await assert.rejects(datasets.query(caller, { ...QUERY, per: ["nothing"] }), { code: "invalid-body", message });
  });
});

describe("saved queries", () => {
  it("are changed by revision and have unique names", async () => {
    const body = { name: "Elderly", network: "shout-all", query: QUERY };
    const saved = await datasets.save(caller, { body });
    await assert.rejects(datasets.save(caller, { body }), { code: "conflict" });
    const nowhere = datasets.save(caller, { body: { ...body, network: "none" } });
    await assert.rejects(nowhere, { code: "network-not-found" });
    const replaces = { queryId: saved.query_id, revision: 1 };
    const next = await datasets.save(caller, { body: { ...body, name: "Old" }, replaces });
    assert.deepEqual([next.name, next.revision], ["Old", 2]);
    await assert.rejects(datasets.save(caller, { body, replaces }), { code: "precondition-failed" });
    assert.deepEqual(await datasets.queries(caller, "shout-all"), [next]);
    assert.deepEqual(await datasets.queries(caller, "other"), []);
    await datasets.removeQuery(caller, saved.query_id);
    await assert.rejects(datasets.removeQuery(caller, saved.query_id), { code: "not-found" });
    const { events } = engine.events.page(caller, { pageSize: 1000 });
    const ours = events.filter(({ type }) => type.startsWith("query."));
    assert.deepEqual(column(ours, "type"), ["query.saved", "query.saved", "query.removed"]);
    for (const event of ours) assert.deepEqual(eventSchema.parse(event), event);
  });

  it("keep one of two changes of the same revision", async () => {
    const body = { name: "Race", network: "shout-all", query: QUERY };
    const saved = await datasets.save(caller, { body });
    const replaces = { queryId: saved.query_id, revision: 1 };
    const both = await Promise.allSettled(
      ["a", "b"].map((name) => datasets.save(caller, { body: { ...body, name }, replaces })),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  });
});

describe("a run of a query", () => {
  it("gets its inputs and sample names, and keeps the query with its result", async () => {
    const body = { name: "For a run", network: "shout-all", query: QUERY };
    const saved = await datasets.save(caller, { body });
    const run = await runToEnd(engine, { network: "shout-all", dataset: { query_id: saved.query_id } });
    assert.deepEqual([run.state, run.samples], ["COMPLETE", ["sub-01", "sub-03"]]);
    await datasets.removeQuery(caller, saved.query_id);
    const recorded = await datasets.ofRun(caller, run.run_id);
    assert.ok(recorded !== null);
    assert.deepEqual([recorded.name, recorded.query], ["For a run", QUERY]);
    assert.deepEqual(column(recorded.result.samples, "name"), ["sub-01", "sub-03"]);
    assert.deepEqual([recorded.asked_at, recorded.result.samples[0]?.fields], [run.created_at, FIELDS]);
    const events = engine.events.page(caller, { runId: run.run_id, pageSize: 1 }).events;
    for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
  });

  it("is kept by retries, reproductions and runs that name it, as long as they have its samples", async () => {
    const { run_id, inputs, samples: names } = await runToEnd(engine, OF_QUERY);
    assert.deepEqual(names, ["sub-01", "sub-03"]);
    const original = await datasets.ofRun(caller, run_id);
    const again = { network: "shout-all", inputs: inputs ?? {}, dataset: { run_id } };
    const started = [
      (await retryRun(engine, run_id, { samples: ["sub-03"] })).run_id,
      (await engine.runs.reproduce(caller, run_id, {})).run_id,
      await startRun(engine, { ...again, samples: { texts: ["sub-01", "sub-03"] } }),
    ];
    for (const id of started) {
      await endedRun(engine, id);
      assert.deepEqual(await datasets.ofRun(caller, id), original);
    }
    const other = await runToEnd(engine, again);
    assert.equal(await datasets.ofRun(caller, other.run_id), null);
    const unknown = { ...again, dataset: { run_id: "019a9c5e-7b1a-4cc0-8000-000000000002" } };
    await assert.rejects(startRun(engine, unknown), { code: "run-not-found" });
  });

  it("has the columns of the dataset in its table", async () => {
    const { run_id } = await runToEnd(engine, OF_QUERY);
    const ask = async (question: TableQuestion) => (await runsOf(engine).table(caller, [run_id], question)).toString();
    const { fields } = JSON.parse(await ask({ what: "fields" })) as TableFields;
    assert.deepEqual(
      fields.flatMap(({ id, type, distinct, source }) => (source === "dataset" ? [[id, type, distinct]] : [])),
      [
        ["dataset.sub", "text", 2],
        ["dataset.task", "text", 1],
        ["dataset.suffix", "text", 1],
        ["dataset.age", "number", 2],
      ],
    );
    const csv = await ask({ what: "export", fields: ["dataset.sub", "dataset.age", "dataset.none"], format: "csv" });
    assert.equal(csv, "sample,sub,age,none\r\nsub-01,01,70,\r\nsub-03,03,64,\r\n");
  });

  it("can use some of the samples; the record lists the others as not selected", async () => {
    const run = (samples: string[]) => runToEnd(engine, { network: "shout-all", dataset: { query: QUERY, samples } });
    const { run_id, samples } = await run(["sub-03"]);
    assert.deepEqual(samples, ["sub-03"]);
    const recorded = await datasets.ofRun(caller, run_id);
    assert.deepEqual(recorded?.result.left_out[0], { kind: "sample", name: "sub-01", reason: NOT_CHOSEN });
    assert.deepEqual([recorded?.result.samples.length, recorded?.result.files_used], [1, 2]);
    const message = /does not find "sub-02"/;
    await assert.rejects(run(["sub-03", "sub-02"]), { code: "invalid-inputs", message });
  });

  it("prefers inputs of the request, and refuses columns that fit no input", async () => {
    const refuses = (columns: DatasetQuery["columns"], message: RegExp) => {
      const body = { network: "shout-all", dataset: { query: { ...QUERY, columns } } };
      return assert.rejects(startRun(engine, body), { code: "invalid-inputs", message });
    };
    const inputs = { texts: [{ class: "File", location: "weft-data://study/sub-02/beh/sub-02_task-read_beh.txt" }] };
    assert.deepEqual((await runToEnd(engine, { ...OF_QUERY, inputs })).samples, ["sub-02_task-read_beh"]);
    await refuses([{ kind: "file", name: "images" }], /there is no input "images"; the inputs are texts, note/);
    const tooMany = /"note" takes one value, and the query returns 2 samples/;
    await refuses([...QUERY.columns, { kind: "value", name: "note", field: "age" }], tooMany);
    const plain = await runToEnd(engine, { network: "shout-all", inputs });
    assert.equal(await datasets.ofRun(caller, plain.run_id), null);
  });
});
