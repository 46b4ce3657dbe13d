import assert from "node:assert/strict";
import { test } from "node:test";
import { readConditions, writeConditions } from "./condition-text.ts";
import { readPattern } from "./file-pattern.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { readBidsName, suffixFault } from "./read-bids-name.ts";
import { readTable } from "./read-table.ts";

test("names of BIDS become entities", () => {
  assert.deepEqual(readBidsName("sub-01/ses-2/func/sub-01_ses-2_task-rest_acq-mb_run-1_bold.nii.gz"), {
    fields: {
      sub: "01",
      ses: "2",
      task: "rest",
      acq: "mb",
      run: "1",
      suffix: "bold",
      extension: ".nii.gz",
      datatype: "func",
    },
  });
  const faults: Readonly<Record<string, string>> = {
    "sub-01/anat/sub-01_T1w": "the name has no extension",
    "sub-01/anat/sub-01_rest.nii.gz_": '"rest" at',
    "sub-01/anat/sub-01_x_T1w.nii": '"x" is not of the form key-value',
    "sub-01/anat/sub-01_run-1_run-2_T1w.nii": 'the name has "run" twice',
    "sub-01/anat/run-1_T1w.nii": "the name lacks sub-01, the name of its folder",
    "sub-01/anat/sub-02_T1w.nii": "the name has sub-02, but the folder is sub-01",
    "anat/sub-02_T1w.nii": "the file is not in the folder sub-02",
  };
  for (const [path, fault] of Object.entries(faults)) {
    const read = readBidsName(path);
    if (path.endsWith("_")) assert.ok("fields" in read);
    else assert.equal("fault" in read ? read.fault : undefined, fault, path);
  }
  assert.equal(suffixFault("T1"), '"T1" is not a BIDS suffix; it has T1w');
  assert.equal(suffixFault("t1W"), '"t1W" is not a BIDS suffix; it has T1w');
  assert.equal(suffixFault("bold"), undefined);
});

test(".bidsignore has the rules of .gitignore", () => {
  const rules = new IgnoreRules(
    "# comment\n*_old.nii\n/extra/\nsub-*/tmp/**\n!sub-01/tmp/keep.nii\nscan[0-3].nii\na/**/z\n",
  );
  const ignored = ["x_old.nii", "sub-01/anat/x_old.nii", "extra/a/b", "sub-02/tmp/x", "scan2.nii", "a/z", "a/b/c/z"];
  const kept = ["extra", "sub-01/extra/x", "sub-01/tmp/keep.nii", "scan5.nii", "b/a/z"];
  for (const path of ignored) assert.equal(rules.ignores(path), true, path);
  for (const path of kept) assert.equal(rules.ignores(path), false, path);
});

test("hostile rules and patterns take little time", () => {
  const rules = new IgnoreRules(`${"*a".repeat(200)}b`);
  assert.equal(rules.ignores("a".repeat(255)), false);
  const read = readPattern("{a}-{b}-{c}-{d}-{e}-{f}-{g}x");
  assert.ok(typeof read !== "string");
  assert.equal(read.match("-".repeat(255)), undefined);
});

test("patterns", () => {
  const cases: readonly [string, string, object | undefined][] = [
    ["{sample}_R{read}.fq.gz", "a_R1_R2.fq.gz", { sample: "a_R1", read: "2", extension: ".fq.gz" }],
    ["{s}/{s}_T1.nii", "x/x_T1.nii", { s: "x", extension: ".nii" }],
    ["{s}/{s}_T1.nii", "x/y_T1.nii", undefined],
    ["**/{s}.bam", "a/b/c.bam", { s: "c", extension: ".bam" }],
    ["**/{s}.bam", "c.bam", { s: "c", extension: ".bam" }],
    ["lane*/{s}.bam", "lane7/c.bam", { s: "c", extension: ".bam" }],
    ["{a}/**/{s}.bam", "a/c.bam", { a: "a", s: "c", extension: ".bam" }],
    ["{s}.bam", ".bam", undefined],
    ["{s}.bam", "a/c.bam", undefined],
  ];
  for (const [text, path, fields] of cases) {
    const read = readPattern(text);
    assert.ok(typeof read !== "string", text);
    assert.deepEqual(read.match(path), fields, `${text} ${path}`);
  }
  for (const text of [
    "a/b",
    "{a}{b}",
    "{}",
    "{a",
    "a//{b}",
    "../{a}",
    "**/{a}/**",
    "{path}",
    "{__proto__}",
    "{constructor}",
  ])
    assert.equal(typeof readPattern(text), "string", text);
});

test("tables leave out missing values and keep any column name", () => {
  const { columns, rows } = readTable("\uFEFFparticipant_id\tage\t__proto__\r\nsub-1\tn/a\tx\r\n\r\nsub-2\t7\r\n");
  assert.deepEqual(columns, ["participant_id", "age", "__proto__"]);
  assert.deepEqual(
    rows.map((row) => Object.entries(row)),
    [
      [
        ["participant_id", "sub-1"],
        ["__proto__", "x"],
      ],
      [
        ["participant_id", "sub-2"],
        ["age", "7"],
      ],
    ],
  );
});

test("conditions as text", () => {
  const text = 'suffix=T1w|T2w, ses = 2 and age>=60\nrun!=2, acq missing, group="a, b"';
  const read = readConditions(text);
  assert.ok("conditions" in read);
  assert.deepEqual(read.conditions, [
    { field: "suffix", op: "=", values: ["T1w", "T2w"] },
    { field: "ses", op: "=", values: ["2"] },
    { field: "age", op: ">=", values: ["60"] },
    { field: "run", op: "!=", values: ["2"] },
    { field: "acq", op: "missing" },
    { field: "group", op: "=", values: ["a, b"] },
  ]);
  assert.deepEqual(readConditions(writeConditions(read.conditions)), read);
  for (const wrong of ["suffix", "age>old", "=2", "age>1|2", "x="]) assert.ok("fault" in readConditions(wrong), wrong);
});
