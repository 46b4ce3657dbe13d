import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TableFields, TablePage } from "@weft/shared/records/table-record.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { runsOf, type TableQuestion } from "../src/testing/ask-runs.ts";
import { column } from "../src/testing/columns.ts";

const programs: Readonly<Record<string, Program>> = {
  /** Writes the files of its argument; those that fit into no argument have names. */
  measure({ args: [files = ""], write }) {
    if (files === "fails") return 1;
    if (files === "deep") write("m.json", "[".repeat(100_000));
    else if (files === "big") write("m.json", " ".repeat(2_000_000));
    else for (const [name, content] of Object.entries<string>(JSON.parse(files))) write(name, content);
    return 0;
  },
  gather: ({ print }) => print("subject,score\ns1,7\ns2,8\n"),
};

const MEASURE = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: measure
arguments: [$(inputs.script)]
requirements: {ResourceRequirement: {coresMin: 1, ramMin: 64}}
inputs: {script: string, age: int, id: string}
outputs:
  measures: {type: File, outputBinding: {glob: "*.json"}}
  stats: {type: File?, outputBinding: {glob: "*.tsv"}}
`;
const GATHER = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: gather
stdout: all.csv
inputs: {after: Any}
outputs: {table: stdout}
`;
const COHORT = `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}}
inputs: {scripts: "string[]", ages: "int[]", ids: "string[]", note: {type: string, default: pilot}}
steps:
  measure:
    run: ../../tools/measure/1.0.0/measure.cwl
    scatter: [script, age, id]
    scatterMethod: dotproduct
    in: {script: scripts, age: ages, id: ids}
    out: [measures, stats]
  gather: {run: ../../tools/gather/1.0.0/gather.cwl, in: {after: measure/measures}, out: [table]}
outputs:
  measures: {type: "File[]", outputSource: measure/measures}
  stats: {type: "File[]", outputSource: measure/stats}
  table: {type: File, outputSource: gather/table}
`;

const documents = {
  "catalog/tools/measure/1.0.0/measure.cwl": MEASURE,
  "catalog/tools/gather/1.0.0/gather.cwl": GATHER,
  "catalog/networks/cohort/cohort.cwl": COHORT,
};
const { engine, root } = await serveFiles(documents, { programs });

const IDS = ["s1", "s2"];
const start = (scripts: readonly string[], owner = caller) => {
  const inputs = { scripts: [...scripts], ages: [40, 61], ids: IDS };
  return runToEnd(engine, { network: "cohort", inputs, samples: { scripts: IDS, ages: IDS, ids: IDS } }, owner);
};
const measured = (volume: number) =>
  JSON.stringify({
    "m.json": `{"volume": ${volume}, "size": [1, 2]}`,
    "s.tsv": `thickness\tside\n${volume / 2}\tleft\n`,
  });
const ask = (runIds: readonly [string, ...string[]], question: TableQuestion, as: Caller = caller) =>
  runsOf(engine).table(as, runIds, question);
const page = async (runIds: readonly [string, ...string[]], fields: readonly string[]): Promise<TablePage> =>
  JSON.parse((await ask(runIds, { what: "page", fields, page_size: 100 })).toString()) as TablePage;

const FIELDS = ["input.ages", "input.note", "output.measures/volume", "output.stats/thickness", "output.table/score"];
const first = await start([measured(10), measured(20)]);

describe("a table of samples", () => {
  it("joins inputs with the values in JSON, TSV and the table about all samples", async () => {
    const { rows, columns, unread_total } = await page([first.run_id], FIELDS);
    assert.deepEqual(
      rows.map(({ sample_id, values }) => [sample_id, ...values]),
      [
        ["s1", 40, "pilot", 10, 5, 7],
        ["s2", 61, "pilot", 20, 10, 8],
      ],
    );
    assert.deepEqual(
      columns.map(({ label, type }) => `${label} ${type}`),
      ["ages number", "note text", "volume number", "thickness number", "score number"],
    );
    assert.equal(unread_total, 0);
  });

  it("lists its fields with examples", async () => {
    const found = JSON.parse((await ask([first.run_id], { what: "fields" })).toString()) as TableFields;
    const ids = new Set(found.fields.map(({ id }) => id));
    for (const id of [...FIELDS, "output.measures/size/1", "output.table/subject"]) assert.ok(ids.has(id), id);
    const volume = found.fields.find(({ id }) => id === "output.measures/volume");
    assert.deepEqual([volume?.filled, volume?.distinct, volume?.type, found.examined], [2, 2, "number", 2]);
  });

  it("pages, exports, and has nulls for fields that no sample has", async () => {
    const question = { what: "page", fields: ["output.none/x"], from: 1, page_size: 1 } as const;
    const { rows, total } = JSON.parse((await ask([first.run_id], question)).toString()) as TablePage;
    assert.deepEqual([rows.map(({ sample_id, values }) => [sample_id, values]), total], [[["s2", [null]]], 2]);
    const csv = await ask([first.run_id], { what: "export", fields: ["output.measures/volume"], format: "csv" });
    assert.equal(csv.toString(), "sample,volume\r\ns1,10\r\ns2,20\r\n");
    const parquet = await ask([first.run_id], { what: "export", format: "parquet" });
    assert.equal(parquet.subarray(0, 4).toString(), "PAR1");
  });

  it("covers several runs", async () => {
    const second = await start([measured(11), measured(22)]);
    const { rows, runs } = await page([first.run_id, second.run_id], ["output.measures/volume"]);
    assert.deepEqual(
      rows.map(({ values }) => values[0]),
      [10, 20, 11, 22],
    );
    assert.deepEqual(column(runs, "run_id"), [first.run_id, second.run_id]);
  });

  it("shows the results of a run with failed samples", async () => {
    const failed = await start([measured(30), "fails"]);
    assert.notEqual(failed.state, "COMPLETE");
    const { rows } = await page([failed.run_id], ["input.ages", "output.measures/volume"]);
    assert.deepEqual(
      rows.map(({ sample_id, values }) => [sample_id, ...values]),
      [
        ["s1", 40, 30],
        ["s2", 61, null],
      ],
    );
  });
});

describe("hostile tables", () => {
  it("name files that cannot be read, and keep the others", async () => {
    await symlink("/etc/hostname", join(root, "outside.json"));
    const made = (content: string) => JSON.stringify({ "m.json": content });
    for (const [script, why] of [
      ["deep", /not valid JSON/],
      ["big", /reads up to/],
      [made("\0"), /not text/],
    ] as const) {
      const run = await start([script, measured(20)]);
      const { rows, unread } = await page([run.run_id], ["output.measures/volume"]);
      assert.deepEqual(
        rows.map(({ values }) => values[0]),
        [null, 20],
      );
      assert.match(unread[0]?.why ?? "", why);
      assert.equal(unread[0]?.sample_id, "s1");
    }
  });

  it("refuse invalid IDs, and runs that the caller cannot see", async () => {
    await assert.rejects(page([first.run_id], ["../../etc/passwd"]), { code: "invalid-parameters" });
    const stranger: Caller = { ...caller, principal: "eve", othersRuns: "hidden" };
    const question = { what: "fields" } as const;
    await assert.rejects(ask([first.run_id], question, stranger), { code: "run-not-found" });
    const own = await start([measured(1), measured(2)], stranger);
    await assert.rejects(ask([own.run_id, first.run_id], question, stranger), { code: "run-not-found" });
  });
});
