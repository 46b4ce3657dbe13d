import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { eventSchema } from "@weft/shared/events/event.ts";
import { NOT_CHOSEN } from "@weft/shared/dataset/narrow-result.ts";
import type { DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { TableFields } from "@weft/shared/records/table-record.ts";
import { caller, endedRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { datasetsOf } from "../src/testing/ask-datasets.ts";
import { catalogExecutor, TEST_CATALOG } from "./test-catalog.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import type { TableQuestion } from "../src/testing/ask-runs.ts";
import { column, columns } from "../src/testing/columns.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);

const DESCRIPTION = JSON.stringify({ Name: "Texts", BIDSVersion: "1.10.0" });

writeFiles(root, { "secret/token.txt": "secret" });
writeFiles(join(root, "study"), {
  "dataset_description.json": DESCRIPTION,
  "participants.tsv": "participant_id\tage\nsub-01\t70\nsub-02\t50\nsub-03\t64\nsub-04\t90\nsub-05\t91\n",
  ".bidsignore": "*_draft.txt\n",
  "task-read_beh.json": '{"Device": "paper"}',
  "sub-01/beh/sub-01_task-read_beh.txt": "one\n",
  "sub-01/beh/sub-01_task-read_draft.txt": "no\n",
  "sub-02/beh/sub-02_task-read_beh.txt": "two\n",
  ".annex/objects/three.txt": "three\n",
});
for (const [subject, target] of [
  ["03", "../../.annex/objects/three.txt"],
  ["04", "../../.annex/objects/none.txt"],
  ["05", "../../../secret/token.txt"],
] as const) {
  await mkdir(join(root, `study/sub-${subject}/beh`), { recursive: true });
  await symlink(target, join(root, `study/sub-${subject}/beh/sub-${subject}_task-read_beh.txt`));
}
await symlink("../secret", join(root, "study/sub-06"));
writeFiles(join(root, "plain"), {
  "inner/dataset_description.json": DESCRIPTION,
  "s1/a_R1.txt": "1",
  "s1/a_R2.txt": "2",
  "s2/b_R1.txt": "3",
  "notes.md": "x",
});

const dataFolders = { study: join(root, "study"), plain: join(root, "plain") };
const engine = await openTestEngine(root, { executor, dataFolders });
after(() => engine.stop("cancel"));

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

describe("datasets in data folders", () => {
  it("lists data folders and the datasets in them", async () => {
    const { datasets } = await datasetsOf(engine).list(caller);
    assert.deepEqual(columns(datasets, "location", "kind"), [
      ["weft-data://study/", "bids"],
      ["weft-data://plain/", "files"],
      ["weft-data://plain/inner/", "bids"],
      ["weft-data://catalog/", "files"],
    ]);
  });

  it("describes a dataset and lists its files by page", async () => {
    const detail = await datasetsOf(engine).detail(caller, { location: "weft-data://study" });
    assert.deepEqual([detail.title, detail.subjects, detail.problems_total], ["Texts", 5, 1]);
    assert.deepEqual(
      detail.fields.find(({ name }) => name === "age"),
      {
        ...{ name: "age", label: "age", source: "participants", distinct: 5, min: 50, max: 91 },
        values: ["50", "64", "70", "90", "91"].map((value) => ({ value, count: 1 })),
      },
    );
    const place = { location: "weft-data://study/", q: "SUB-0", from: 1, page_size: 1 };
    const { files, total } = await datasetsOf(engine).files(caller, place);
    assert.deepEqual([files.map(({ path }) => path), total], [["sub-02/beh/sub-02_task-read_beh.txt"], 5]);
  });

  it("finds samples behind links, and says which files cannot be read", async () => {
    const result = await datasetsOf(engine).query(caller, QUERY);
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
    const { samples } = await datasetsOf(engine).query(caller, { ...QUERY, where });
    assert.deepEqual(column(samples, "name"), ["sub-01", "sub-02", "sub-03"]);
  });

  it("reads other folders by a pattern", async () => {
    const pattern = "{sample}/{part}_R{read}.txt";
    const all = await datasetsOf(engine).detail(caller, { location: "weft-data://plain/" });
    assert.deepEqual([all.kind, all.files, all.problems_total], ["files", 5, 0]);
    const { fields } = await datasetsOf(engine).detail(caller, { location: "weft-data://plain/", pattern });
    assert.deepEqual(column(fields, "name"), ["sample", "part", "read", "extension"]);
    const read = (value: string) => [{ field: "read", op: "=" as const, values: [value] }];
    const { samples, left_out: leftOut } = await datasetsOf(engine).query(caller, {
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
    const outside = [
      "weft-data://runs/",
      "weft-data://uploads/",
      "weft-data://none/",
      "/etc/",
      "weft-data://study/sub-06/",
    ];
    for (const location of outside)
      await assert.rejects(
        datasetsOf(engine).query(caller, { ...QUERY, location, pattern: "{x}" }),
        { code: "file-not-found" },
        location,
      );
    const place = { location: "weft-data://plain/" };
    await assert.rejects(datasetsOf(engine).query(caller, { ...QUERY, ...place }), { code: "invalid-parameters" });
    await assert.rejects(datasetsOf(engine).detail(caller, { ...place, pattern: "{a}{b}" }), {
      code: "invalid-parameters",
    });
    await assert.rejects(datasetsOf(engine).query(caller, { ...QUERY, per: ["nothing"] }), {
      code: "invalid-body",
      message: /no field "nothing"; it has sub, task/,
    });
  });
});

describe("saved queries", () => {
  it("are changed by revision and have unique names", async () => {
    const body = { name: "Elderly", network: "shout-all", query: QUERY };
    const saved = await datasetsOf(engine).save(caller, { body });
    await assert.rejects(datasetsOf(engine).save(caller, { body }), { code: "conflict" });
    await assert.rejects(datasetsOf(engine).save(caller, { body: { ...body, network: "none" } }), {
      code: "network-not-found",
    });
    const replaces = { queryId: saved.query_id, revision: 1 };
    const next = await datasetsOf(engine).save(caller, { body: { ...body, name: "Old" }, replaces });
    assert.deepEqual([next.name, next.revision], ["Old", 2]);
    await assert.rejects(datasetsOf(engine).save(caller, { body, replaces }), { code: "precondition-failed" });
    assert.deepEqual(await datasetsOf(engine).queries(caller, "shout-all"), [next]);
    assert.deepEqual(await datasetsOf(engine).queries(caller, "other"), []);
    await datasetsOf(engine).removeQuery(caller, saved.query_id);
    await assert.rejects(datasetsOf(engine).removeQuery(caller, saved.query_id), { code: "not-found" });
    const { events } = engine.events.page(caller, { pageSize: 1000 });
    const ours = events.filter(({ type }) => type.startsWith("query."));
    assert.deepEqual(column(ours, "type"), ["query.saved", "query.saved", "query.removed"]);
    for (const event of ours) assert.deepEqual(eventSchema.parse(event), event);
  });

  it("keep one of two changes of the same revision", async () => {
    const body = { name: "Race", network: "shout-all", query: QUERY };
    const saved = await datasetsOf(engine).save(caller, { body });
    const replaces = { queryId: saved.query_id, revision: 1 };
    const both = await Promise.allSettled(
      ["a", "b"].map((name) => datasetsOf(engine).save(caller, { body: { ...body, name }, replaces })),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  });
});

describe("a run of a query", () => {
  it("gets its inputs and sample names, and keeps the query with its result", async () => {
    const body = { name: "For a run", network: "shout-all", query: QUERY };
    const saved = await datasetsOf(engine).save(caller, { body });
    const request = { network: "shout-all", dataset: { query_id: saved.query_id } };
    const { run } = await engine.runs.create(caller, { body: request, idempotencyKey: undefined });
    const ended = await endedRun(engine, run.run_id);
    assert.deepEqual([ended.state, ended.samples], ["COMPLETE", ["sub-01", "sub-03"]]);
    await datasetsOf(engine).removeQuery(caller, saved.query_id);
    const recorded = await datasetsOf(engine).ofRun(caller, run.run_id);
    assert.ok(recorded !== null);
    assert.deepEqual([recorded.name, recorded.query], ["For a run", QUERY]);
    assert.deepEqual(column(recorded.result.samples, "name"), ["sub-01", "sub-03"]);
    assert.deepEqual([recorded.asked_at, recorded.result.samples[0]?.fields], [run.created_at, FIELDS]);
    const events = engine.events.page(caller, { runId: run.run_id, pageSize: 1 }).events;
    for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
  });

  it("is kept by retries, reproductions and runs that name it, as long as they have its samples", async () => {
    const request = { network: "shout-all", dataset: { query: QUERY } };
    const { run } = await engine.runs.create(caller, { body: request, idempotencyKey: undefined });
    const { inputs, samples: names } = await endedRun(engine, run.run_id).then(() =>
      engine.runs.get(caller, run.run_id),
    );
    assert.deepEqual(names, ["sub-01", "sub-03"]);
    const original = await datasetsOf(engine).ofRun(caller, run.run_id);
    const again = { body: { network: "shout-all", inputs: inputs ?? {}, dataset: { run_id: run.run_id } } };
    const started = [
      (await engine.runs.retry(caller, run.run_id, { body: { samples: ["sub-03"] }, idempotencyKey: undefined })).run,
      await engine.runs.reproduce(caller, run.run_id, {}),
      (
        await engine.runs.create(caller, {
          body: { ...again.body, samples: { texts: ["sub-01", "sub-03"] } },
          idempotencyKey: undefined,
        })
      ).run,
    ];
    for (const { run_id: id } of started) {
      await endedRun(engine, id);
      assert.deepEqual(await datasetsOf(engine).ofRun(caller, id), original);
    }
    const other = await engine.runs.create(caller, { ...again, idempotencyKey: undefined });
    await endedRun(engine, other.run.run_id);
    assert.equal(await datasetsOf(engine).ofRun(caller, other.run.run_id), null);
    await assert.rejects(
      engine.runs.create(caller, {
        body: { ...again.body, dataset: { run_id: "019a9c5e-7b1a-4cc0-8000-000000000002" } },
        idempotencyKey: undefined,
      }),
      { code: "run-not-found" },
    );
  });

  it("has the columns of the dataset in its table", async () => {
    const request = { network: "shout-all", dataset: { query: QUERY } };
    const { run } = await engine.runs.create(caller, { body: request, idempotencyKey: undefined });
    await endedRun(engine, run.run_id);
    const ask = async (question: TableQuestion) =>
      (await runsOf(engine).table(caller, [run.run_id], question)).toString();
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

  it("can use some of the samples; the record lists the others as not chosen", async () => {
    const create = (samples: string[]) =>
      engine.runs.create(caller, {
        body: { network: "shout-all", dataset: { query: QUERY, samples } },
        idempotencyKey: undefined,
      });
    const { run } = await create(["sub-03"]);
    assert.deepEqual((await endedRun(engine, run.run_id)).samples, ["sub-03"]);
    const recorded = await datasetsOf(engine).ofRun(caller, run.run_id);
    assert.deepEqual(recorded?.result.left_out[0], { kind: "sample", name: "sub-01", reason: NOT_CHOSEN });
    assert.deepEqual([recorded?.result.samples.length, recorded?.result.files_used], [1, 2]);
    await assert.rejects(create(["sub-03", "sub-02"]), {
      code: "invalid-inputs",
      message: /does not find "sub-02"/,
    });
  });

  it("prefers inputs of the request, and refuses columns that fit no input", async () => {
    const create = (more: object, columns: DatasetQuery["columns"] = QUERY.columns) =>
      engine.runs.create(caller, {
        body: { network: "shout-all", dataset: { query: { ...QUERY, columns } }, ...more },
        idempotencyKey: undefined,
      });
    const one = [{ class: "File", location: "weft-data://study/sub-02/beh/sub-02_task-read_beh.txt" }];
    const { run } = await create({ inputs: { texts: one } });
    assert.deepEqual((await endedRun(engine, run.run_id)).samples, ["sub-02_task-read_beh"]);
    await assert.rejects(create({}, [{ kind: "file", name: "images" }]), {
      code: "invalid-inputs",
      message: /there is no input "images"; the inputs are texts, note/,
    });
    await assert.rejects(create({}, [...QUERY.columns, { kind: "value", name: "note", field: "age" }]), {
      code: "invalid-inputs",
      message: /"note" takes one value, and the query returns 2 samples/,
    });
    const plain = await engine.runs.create(caller, {
      body: { network: "shout-all", inputs: { texts: one } },
      idempotencyKey: undefined,
    });
    assert.equal(await datasetsOf(engine).ofRun(caller, plain.run.run_id), null);
    await endedRun(engine, plain.run.run_id);
  });
});
