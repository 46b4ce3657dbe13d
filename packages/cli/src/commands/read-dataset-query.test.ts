import assert from "node:assert/strict";
import { test } from "node:test";
import { Flag } from "../settings/flag.ts";
import { settingsOf } from "../testing/settings-of.ts";
import { readDatasetQuery } from "./read-dataset-query.ts";

const FLAGS = () => [
  new Flag("--where <CONDITIONS>", "", "list"),
  new Flag("--per <UNIT>", ""),
  new Flag("--column <COLUMN>", "", "list"),
  new Flag("--pattern <PATTERN>", ""),
];
const read = (...args: readonly string[]) => readDatasetQuery("weft-data://study/", settingsOf(FLAGS(), ...args));

test("flags become a query", () => {
  const columns = ["images+.json?: suffix=T1w", "bolds[]: suffix=bold", "age=age", "meta<images", "bvec?<images.bvec"];
  assert.deepEqual(
    read("--where", "ses=2", "--where", "age>60", "--per", "session", ...columns.flatMap((one) => ["--column", one])),
    {
      location: "weft-data://study/",
      where: [
        { field: "ses", op: "=", values: ["2"] },
        { field: "age", op: ">", values: ["60"] },
      ],
      per: ["sub", "ses"],
      columns: [
        {
          ...{ kind: "file", name: "images", optional: true, secondary: [".json"] },
          where: [{ field: "suffix", op: "=", values: ["T1w"] }],
        },
        { kind: "files", name: "bolds", where: [{ field: "suffix", op: "=", values: ["bold"] }] },
        { kind: "value", name: "age", field: "age" },
        { kind: "sidecar", name: "meta", of: "images" },
        { kind: "sidecar", name: "bvec", optional: true, of: "images", extension: ".bvec" },
      ],
    },
  );
  assert.deepEqual(read("--pattern", "{a}.txt", "--column", "x", "--per", "a,b").per, ["a", "b"]);
  assert.deepEqual(read("--pattern", "{subject}.txt", "--column", "x", "--per", "subject").per, ["subject"]);
  assert.deepEqual(read("--pattern", "{a}.txt", "--column", "x").per, ["path"]);
  assert.deepEqual(read("--column", "x").per, ["sub"]);
});

test("messages about mistakes name the flag", () => {
  assert.throws(() => read(), /needs at least one --column/);
  assert.throws(() => read("--column", "a b"), /--column: "a b" is not a column/);
  assert.throws(() => read("--column", "x", "--where", "age"), /--where: "age" is not a condition/);
  assert.throws(() => read("--column", "x: age>old"), /--column x: "age>old"/);
});
