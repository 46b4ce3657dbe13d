import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parquetReadObjects } from "hyparquet";
import type { BuiltTable } from "./build-table.ts";
import { fieldId, labelFields, parseFieldId } from "./field-id.ts";
import { writeDelimited } from "./write-delimited.ts";
import { writeParquet } from "./write-parquet.ts";

const [RUN, OTHER] = ["019a9c5e-7b1a-7cc0-8000-000000000001", "019a9c5e-7b1a-7cc0-8000-000000000002"];
const row = (sample_id: string | null, values: BuiltTable["rows"][number]["values"], run_id: string = RUN) => ({
  run_id,
  sample_id,
  index: 0,
  values,
});
const TABLE: BuiltTable = {
  runs: [{ run_id: RUN, name: "first" }],
  columns: [
    { id: "output.v", source: "output", label: "=v", type: "number" },
    { id: "output.t", source: "output", label: "text", type: "text" },
    { id: "output.b", source: "output", label: "sample", type: "boolean" },
  ],
  rows: [row("s1", [-1.5, '=HYPERLINK("x")', true]), row("@s2", [null, "a\tb\nc", null]), row(null, [3, 7, false])],
  unread: [],
  unread_total: 0,
};

describe("tables as text", () => {
  it("are safe in spreadsheets", () =>
    assert.equal(
      writeDelimited(TABLE, "csv"),
      'sample,\'=v,text,sample\r\ns1,-1.5,"\'=HYPERLINK(""x"")",true\r\n\'@s2,,"a\tb\nc",\r\n#1,3,7,false\r\n',
    ));
  it("have no tabs within a cell of TSV", () => assert.match(writeDelimited(TABLE, "tsv"), /\r\n'@s2\t\ta b c\t\r\n/));
  it("begin no cell of TSV with a quotation mark, which spreadsheets drop", () => {
    for (const text of ['""=1+1', '"=1+1"', '"', '"\t"=1+1']) {
      const written = writeDelimited({ ...TABLE, rows: [row(text, [null, text, null])] }, "tsv");
      const shown = `'${text.replaceAll("\t", " ")}`;
      assert.equal(written, `sample\t'=v\ttext\tsample\r\n${shown}\t\t${shown}\t\r\n`);
    }
  });
  it("name the run if there are several", () => {
    const both = {
      ...TABLE,
      runs: [...TABLE.runs, { run_id: OTHER, name: "second" }],
      rows: [row("s1", [1, "x", true], OTHER)],
    };
    assert.match(writeDelimited(both, "csv"), new RegExp(`^sample,run,run_id,.*\r\ns1,second,${OTHER},1,x,true\r\n$`));
  });
});

it("tables as Parquet keep types and strings", async () => {
  const { buffer } = writeParquet(TABLE);
  const rows = await parquetReadObjects({ file: buffer });
  assert.deepEqual(rows, [
    { sample: "s1", "=v": -1.5, text: '=HYPERLINK("x")', sample_: true },
    { sample: "@s2", "=v": null, text: "a\tb\nc", sample_: null },
    { sample: "#1", "=v": 3, text: "7", sample_: false },
  ]);
});

it("a table without rows can be written", async () => {
  const { buffer } = writeParquet({ ...TABLE, rows: [] });
  assert.deepEqual(await parquetReadObjects({ file: buffer }), []);
});

describe("ids of fields", () => {
  it("lead back to their place for all keys", () => {
    for (const path of [[], ["a"], ["a,b", "c/d", "é%", "__proto__"]]) {
      const place = { source: "output", port: "x.y", path } as const;
      assert.deepEqual(parseFieldId(fieldId(place)), place);
      assert.ok(!fieldId(place).includes(","));
    }
  });
  it("are refused in other forms", () => {
    for (const id of ["", "output", "output.", "other.x", "output.%", "x", "../etc"])
      assert.equal(parseFieldId(id), undefined);
  });
  it("have labels that differ", () => {
    const place = (source: "input" | "output", port: string, ...path: string[]) => ({ source, port, path });
    const places = [
      place("output", "m", "v"),
      place("output", "n", "v"),
      place("output", "m", "w"),
      place("input", "age"),
      place("output", "age"),
    ];
    assert.deepEqual(labelFields(places), ["m.v", "n.v", "w", "age (input)", "age (output)"]);
  });
});
