import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileValue } from "../../format/value-text.ts";
import type { ComparedThing } from "./compare-runs.ts";
import { groupResults } from "./group-results.ts";

const thing = (name: string, file?: FileValue): ComparedThing => ({
  section: "Outputs",
  name,
  sides: ["a", "b"],
  differs: [false, true],
  changes: [],
  files: [file, file],
  isSame: false,
});

test("results stand by sample, and many values of one are one row", () => {
  const file: FileValue = { class: "File", basename: "a" };
  const things = [
    thing("masks[0]", file),
    thing("masks[1]", file),
    ...Array.from({ length: 4 }, (_, n) => thing(`series[0][${n}]`)),
    thing("series[1][0]"),
    thing("report", file),
    ...Array.from({ length: 5 }, (_, n) => thing(`folder.listing[${n}]`, file)),
  ];
  const rows = groupResults(things);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      "report",
      ...Array.from({ length: 5 }, (_, n) => `folder.listing[${n}]`),
      "masks[0]",
      "series[0]",
      "masks[1]",
      "series[1][0]",
    ],
  );
  const { sides, differs } = rows.find(({ name }) => name === "series[0]") ?? assert.fail();
  assert.deepEqual(
    [sides, differs],
    [
      ["4 values", "4 of them differ"],
      [false, true],
    ],
  );
});
