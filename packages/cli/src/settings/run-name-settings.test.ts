import assert from "node:assert/strict";
import { test } from "node:test";
import { runNameSettings } from "./run-name-settings.ts";

const read = (...texts: string[]) => runNameSettings({ list: () => texts });

test("templates apply to all networks or to one, and mistakes are reported", () => {
  assert.deepEqual(read("{network} {date}", "imaging-cohort={network} {subject count}, a=b"), {
    "": "{network} {date}",
    "imaging-cohort": "{network} {subject count}, a=b",
  });
  assert.deepEqual(read(), {});
  assert.throws(() => read("{who}"), /no \{who\}; it can contain \{network\}/);
  for (const wrong of ["", " ", "x=", "a\nb", "x".repeat(201)]) assert.throws(() => read(wrong), /one line/);
});
