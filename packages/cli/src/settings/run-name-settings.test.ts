import assert from "node:assert/strict";
import { test } from "node:test";
import { runNameSettings } from "./run-name-settings.ts";

const read = (...texts: string[]) => runNameSettings({ list: () => texts });

test("templates apply to all networks or to one, and mistakes are reported", () => {
  assert.deepEqual(read("{network} {date}", "imaging-cohort={subject count}, a=b"), {
    "": [{ field: "network" }, { text: " " }, { field: "date" }],
    "imaging-cohort": [{ field: "subject count" }, { text: ", a=b" }],
  });
  assert.deepEqual(read(), {});
  assert.throws(() => read("{who}"), /cannot have the field \{who\}; fields are \{network\}/);
  for (const wrong of ["", " ", "x=", "a\nb", "x".repeat(201)]) assert.throws(() => read(wrong), /one line/);
});
