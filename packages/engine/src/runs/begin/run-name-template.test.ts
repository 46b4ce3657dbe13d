import assert from "node:assert/strict";
import { test } from "node:test";
import { fillRunName, unknownPlaceholder } from "./run-name.ts";

const VALUES = {
  ...{ network: "Imaging cohort", id: "imaging-cohort", version: "1.0.0", "subject count": "6", subject: "6 samples" },
  ...{ owner: "ann", date: "2026-11-23", time: "18:05" },
};

test("a template is filled with facts about the run", () => {
  const cases: readonly (readonly [template: string, name: string])[] = [
    ["{network} {subject count} {date}", "Imaging cohort 6 2026-11-23"],
    ["{owner}/{id}@{version} {time}", "ann/imaging-cohort@1.0.0 18:05"],
    ["{constructor} {} {subject}", "{constructor} {} 6 samples"],
    ["plain", "plain"],
  ];
  for (const [template, name] of cases) assert.equal(fillRunName(template, VALUES), name);
  assert.equal(unknownPlaceholder("{network} {nobody}"), "nobody");
  assert.equal(unknownPlaceholder("{__proto__}"), "__proto__");
  assert.equal(unknownPlaceholder("{network} {subject count}"), undefined);
});
