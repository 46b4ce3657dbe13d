import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { buildQuery, draftOf, firstDraft, forInputs, parseDraft, type QueryDraft } from "./query-model.ts";

const PLACE = { location: "weft-data://study/", pattern: "" };

const QUERY: DatasetQuery = {
  location: "weft-data://study/",
  where: [
    { field: "suffix", op: "=", values: ["T1w", "T2w"] },
    { field: "acq", op: "missing" },
  ],
  per: ["sub", "ses"],
  columns: [
    { kind: "file", name: "images", where: [{ field: "run", op: "!=", values: ["2"] }] },
    { kind: "files", name: "dwi", secondary: [".bval", ".bvec"] },
    { kind: "sidecar", name: "meta", of: "images", optional: true },
    { kind: "sidecar", name: "events", of: "images", extension: ".tsv" },
    { kind: "value", name: "age", field: "age" },
  ],
};

test("a query in the builder and in the address stays the same", () => {
  const draft = draftOf(QUERY);
  assert.deepEqual(buildQuery(PLACE, draft), { query: QUERY });
  assert.deepEqual(parseDraft(JSON.stringify(draft)), draft);
});

test("unfinished conditions are ignored, unfinished columns are named", () => {
  const draft: QueryDraft = {
    where: [{ field: "age", op: ">", value: " " }],
    per: ["sub"],
    columns: [{ name: "images", kind: "file", detail: "", optional: false }],
  };
  assert.deepEqual(buildQuery({ ...PLACE, pattern: "{x}" }, draft), {
    query: {
      location: PLACE.location,
      pattern: "{x}",
      where: [],
      per: ["sub"],
      columns: [{ kind: "file", name: "images" }],
    },
  });
  const columns = [
    { name: "", kind: "file", detail: "", optional: false },
    { name: "a", kind: "value", detail: "", optional: false },
    { name: "b", kind: "files", detail: "age>old", optional: false },
    { name: "c", kind: "file", detail: "", companions: "bval, ../x", optional: false },
    { name: "d", kind: "sidecar", detail: "b", companions: ".tsv .json", optional: false },
  ] as const;
  assert.deepEqual(buildQuery(PLACE, { where: [], per: [], columns }), {
    problems: [
      "Name every column.",
      "Choose the field of a.",
      'b: "age>old": ">" needs one number.',
      "c: write companion files as extensions, such as .bval .bvec.",
      "d: a sidecar has one extension.",
      "Choose the unit of a sample.",
    ],
  });
});

test("refuses texts that are not drafts", () => {
  for (const text of [
    "",
    "[]",
    "null",
    '{"where":[],"per":[1],"columns":[]}',
    '{"where":[{"field":"a","op":"~","value":""}],"per":[],"columns":[]}',
  ])
    assert.equal(parseDraft(text), undefined, text);
});

test("the first draft looks for T1-weighted images, one per subject", () => {
  const field = { name: "suffix", label: "Suffix", source: "name", distinct: 2, min: null, max: null } as const;
  const fields = [{ ...field, values: ["bold", "T1w"].map((value) => ({ value, count: 1 })) }];
  assert.deepEqual(firstDraft({ kind: "bids", fields }), {
    where: [{ field: "suffix", op: "=", value: "T1w" }],
    per: ["sub"],
    columns: [{ name: "files", kind: "file", detail: "", optional: false }],
  });
});

test("the first column fills the list of files of a network that is chosen later", () => {
  const draft = draftOf({ ...QUERY, columns: [{ kind: "file", name: "files" }] });
  const inputs = (...types: readonly string[]) =>
    types.map((text) => ({ id: text.split(":")[0], type_text: text.split(":")[1] })) as unknown as InputRecord[]; // the parts that it reads
  const namesFor = (...types: readonly string[]) => forInputs(draft, inputs(...types)).columns.map(({ name }) => name);
  assert.deepEqual(namesFor(), ["files"]);
  assert.deepEqual(namesFor("top:int", "texts:File[]"), ["texts"]);
  assert.deepEqual(namesFor("files:File", "texts:File[]"), ["files"]);
  assert.deepEqual(namesFor("seed:int"), ["files"]);
});
