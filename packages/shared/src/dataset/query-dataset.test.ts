import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatasetQuery } from "../records/dataset-record.ts";
import { readConditions } from "./condition-text.ts";
import { indexDataset } from "./index-dataset.ts";
import { readPattern } from "./file-pattern.ts";
import { queryDataset } from "./query-dataset.ts";

const TEXTS = new Map([
  ["dataset_description.json", '{"Name": "Study", "BIDSVersion": "1.10.0"}'],
  [".bidsignore", "*_scratch.nii.gz\n/sub-05/\n"],
  [
    "participants.tsv",
    "participant_id\tage\tgroup\nsub-01\t72\tpatient\nsub-02\t54\tcontrol\nsub-03\tn/a\tpatient\nsub-04\t80\tpatient\nsub-06\t66\tcontrol\n",
  ],
  ["sub-01/sub-01_sessions.tsv", "session_id\tscore\nses-1\t3\nses-2\t9\n"],
]);

const PATHS = [
  "README",
  "participants.tsv",
  "task-rest_bold.json",
  "sub-01/sub-01_sessions.tsv",
  ...["1", "2"].flatMap((ses) => [
    `sub-01/ses-${ses}/anat/sub-01_ses-${ses}_T1w.nii.gz`,
    `sub-01/ses-${ses}/anat/sub-01_ses-${ses}_T1w.json`,
    `sub-01/ses-${ses}/func/sub-01_ses-${ses}_task-rest_run-1_bold.nii.gz`,
    `sub-01/ses-${ses}/func/sub-01_ses-${ses}_task-rest_run-02_bold.nii.gz`,
  ]),
  "sub-01/ses-2/anat/sub-01_ses-2_scratch.nii.gz",
  "sub-02/ses-2/anat/sub-02_ses-2_T1w.nii.gz",
  "sub-03/ses-2/anat/sub-03_ses-2_T1w.nii.gz",
  "sub-04/ses-2/anat/sub-04_ses-2_T1.nii.gz",
  "sub-05/ses-2/anat/sub-05_ses-2_T1w.nii.gz",
  "sub-04/ses-2/anat/sub-03_ses-2_T1w.nii.gz",
];

function bids(paths = PATHS) {
  const entries = [...paths.map((path) => ({ path })), { path: "derivatives", isFolder: true as const }];
  return indexDataset({ entries, texts: TEXTS });
}

function where(text: string) {
  const read = readConditions(text);
  assert.ok("conditions" in read, JSON.stringify(read));
  return read.conditions;
}

function ask(query: Omit<DatasetQuery, "location">, index = bids()) {
  const result = queryDataset(index, { location: "weft-data://study/", ...query });
  assert.ok("samples" in result, JSON.stringify(result));
  return result;
}

const leftOut = (result: ReturnType<typeof ask>, kind: "sample" | "file") =>
  Object.fromEntries(result.left_out.filter((one) => one.kind === kind).map(({ name, reason }) => [name, reason]));

test("answers the query of the documentation: suffix, session, age", () => {
  const result = ask({
    per: ["sub"],
    where: where("suffix=T1w, ses=2, age>60, run!=2"),
    columns: [{ kind: "file", name: "image" }],
  });
  assert.deepEqual(result.samples, [
    {
      name: "sub-01",
      columns: { image: { class: "File", location: "weft-data://study/sub-01/ses-2/anat/sub-01_ses-2_T1w.nii.gz" } },
      fields: { sub: "01", ses: "2", suffix: "T1w", age: 72, group: "patient", score: 9 },
    },
  ]);
  assert.deepEqual(leftOut(result, "sample"), {
    "sub-02": "age is 54, not > 60",
    "sub-03": "age is missing",
    "sub-04": 'suffix is T1, not T1w ("T1" is not a BIDS suffix; it has T1w)',
    "sub-06": "participants.tsv lists it, but it has no files",
  });
  assert.deepEqual(leftOut(result, "file"), {
    derivatives: "contains data that is not part of the dataset",
    "sub-01/ses-2/anat/sub-01_ses-2_scratch.nii.gz": "ignored by .bidsignore",
    "sub-05/ses-2/anat/sub-05_ses-2_T1w.nii.gz": "ignored by .bidsignore",
    "sub-04/ses-2/anat/sub-03_ses-2_T1w.nii.gz": "the name has sub-03, but the folder is sub-04",
    "sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz": "ses is 1, not 2",
    "sub-01/ses-1/func/sub-01_ses-1_task-rest_run-02_bold.nii.gz": "suffix is bold, not T1w",
    "sub-01/ses-1/func/sub-01_ses-1_task-rest_run-1_bold.nii.gz": "suffix is bold, not T1w",
    "sub-01/ses-2/func/sub-01_ses-2_task-rest_run-02_bold.nii.gz": "suffix is bold, not T1w",
    "sub-01/ses-2/func/sub-01_ses-2_task-rest_run-1_bold.nii.gz": "suffix is bold, not T1w",
    "sub-02/ses-2/anat/sub-02_ses-2_T1w.nii.gz": "age is 54, not > 60",
    "sub-03/ses-2/anat/sub-03_ses-2_T1w.nii.gz": "age is missing",
    "sub-04/ses-2/anat/sub-04_ses-2_T1.nii.gz": 'suffix is T1, not T1w ("T1" is not a BIDS suffix; it has T1w)',
  });
  assert.equal(result.files_used, 1);
});

test("reports several files for one column", () => {
  const result = ask({ per: ["sub"], where: where("suffix=bold, ses=2"), columns: [{ kind: "file", name: "bold" }] });
  assert.deepEqual(result.samples, []);
  assert.equal(
    leftOut(result, "sample")["sub-01"],
    "2 files match the column bold; add a condition such as session=1 (sub-01_ses-2_task-rest_run-1_bold.nii.gz, sub-01_ses-2_task-rest_run-02_bold.nii.gz)",
  );
  const many = ask({ per: ["sub"], where: where("suffix=bold"), columns: [{ kind: "files", name: "bold" }] });
  const { bold } = many.samples[0]?.columns ?? {};
  assert.ok(Array.isArray(bold));
  assert.equal(bold.length, 4);
});

test("makes a sample per session and run, with a shared image, inherited sidecars, and values of tables", () => {
  const result = ask({
    per: ["sub", "ses", "run"],
    columns: [
      { kind: "file", name: "bold", where: where("suffix=bold"), secondary: [".json"] },
      { kind: "file", name: "anat", where: where("suffix=T1w") },
      { kind: "sidecar", name: "anat_json", of: "anat" },
      { kind: "value", name: "age", field: "age" },
      { kind: "value", name: "score", field: "sessions.score" },
      { kind: "value", name: "echo", field: "echo", optional: true },
    ],
  });
  assert.deepEqual(
    result.samples.map(({ name }) => name),
    ["sub-01_ses-1_run-1", "sub-01_ses-1_run-02", "sub-01_ses-2_run-1", "sub-01_ses-2_run-02"],
  );
  const base = "weft-data://study/sub-01/ses-2";
  assert.deepEqual(result.samples[3]?.columns, {
    bold: {
      class: "File",
      location: `${base}/func/sub-01_ses-2_task-rest_run-02_bold.nii.gz`,
      secondaryFiles: [
        {
          class: "File",
          location: "weft-data://study/task-rest_bold.json",
          basename: "sub-01_ses-2_task-rest_run-02_bold.json",
        },
      ],
    },
    anat: { class: "File", location: `${base}/anat/sub-01_ses-2_T1w.nii.gz` },
    anat_json: { class: "File", location: `${base}/anat/sub-01_ses-2_T1w.json` },
    age: "72",
    score: "9",
    echo: null,
  });
  assert.equal(leftOut(result, "sample")["sub-02_ses-2"], "suffix is T1w, not bold");
});

test("one sample per file reports files, not samples", () => {
  const result = ask({ per: ["path"], where: where("suffix=T1w"), columns: [{ kind: "file", name: "image" }] });
  assert.deepEqual(
    result.samples.map(({ name }) => name),
    ["sub-01_ses-1_T1w", "sub-01_ses-2_T1w", "sub-02_ses-2_T1w", "sub-03_ses-2_T1w"],
  );
  assert.equal(result.samples_left_out, 0);
});

test("metadata of sidecars is merged, the nearest wins", () => {
  const contents: Readonly<Record<string, unknown>> = {
    "task-rest_bold.json": { RepetitionTime: 2, TaskName: "rest" },
  };
  const index = bids();
  const query: DatasetQuery = {
    location: "weft-data://study",
    per: ["path"],
    where: where("json.RepetitionTime<3, suffix=bold, ses=1, run=1"),
    columns: [
      { kind: "file", name: "bold" },
      { kind: "value", name: "task", field: "json.TaskName" },
    ],
  };
  const result = queryDataset(index, query, { readJson: (path) => contents[path] });
  assert.ok("samples" in result);
  assert.deepEqual(
    result.samples.map(({ columns }) => columns["task"]),
    ["rest"],
  );
});

test("a pattern reads the fields of a folder that is not BIDS", () => {
  const read = readPattern("{sample}/{session}_R{read}.fastq.gz");
  assert.ok(typeof read !== "string");
  const paths = ["s1/a_R1.fastq.gz", "s1/a_R2.fastq.gz", "s2/b_x_R1.fastq.gz", "notes.txt"];
  const index = indexDataset({ entries: paths.map((path) => ({ path })), texts: new Map() }, read);
  const result = ask(
    {
      per: ["sample", "session"],
      columns: [
        { kind: "file", name: "forward", where: where("read=1") },
        { kind: "file", name: "reverse", where: where("read=2"), optional: true },
      ],
    },
    index,
  );
  assert.deepEqual(
    result.samples.map(({ name, columns }) => [name, columns["reverse"] === null]),
    [
      ["s1_a", false],
      ["s2_b_x", true],
    ],
  );
  assert.deepEqual(leftOut(result, "file"), { "notes.txt": "the pattern does not match" });
});

test("a sample has the total size and latest time of its files", () => {
  const result = queryDataset(
    bids(),
    {
      location: "weft-data://study/",
      per: ["sub"],
      where: where("sub=02"),
      columns: [{ kind: "file", name: "image" }],
    },
    { stampOf: () => ({ bytes: 7, modifiedMs: 1000 }) },
  );
  assert.ok("samples" in result);
  assert.deepEqual([result.samples[0]?.bytes, result.samples[0]?.modified_at], [7, "1970-01-01T00:00:01.000Z"]);
});

test("mistakes in a query are listed with their position", () => {
  const result = queryDataset(bids(), {
    location: "weft-data://study/",
    per: ["sub", "nothing"],
    where: [
      { field: "age", op: ">", values: ["old"] },
      { field: "toString", op: "exists" },
    ],
    columns: [
      { kind: "value", name: "a", field: "constructor" },
      { kind: "sidecar", name: "a", of: "b" },
    ],
  });
  assert.ok("faults" in result);
  assert.deepEqual(
    result.faults.map(({ pointer }) => pointer),
    ["/where/0", "/where/1/field", "/per/1", "/columns/0/field", "/columns/1/name", "/columns/1/of", "/columns"],
  );
});
