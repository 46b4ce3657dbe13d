import assert from "node:assert/strict";
import { test } from "node:test";
import { fillRunName, parseRunName } from "./run-name.ts";

const VALUES = {
  ...{ network: "Imaging cohort", id: "imaging-cohort", version: "1.0.0", "subject count": "6", subject: "6 samples" },
  ...{ owner: "ann", date: "2026-11-23", time: "18:05" },
};

const named = (text: string) => {
  const template = parseRunName(text);
  return typeof template === "string" ? template : fillRunName(template, VALUES);
};

test("a template is filled with facts about the run", () => {
  const cases: readonly (readonly [template: string, name: string])[] = [
    ["{network} {subject count} {date}", "Imaging cohort 6 2026-11-23"],
    ["{owner}/{id}@{version} {time}", "ann/imaging-cohort@1.0.0 18:05"],
    [" plain ", "plain"],
    ["{network} {nobody}", "cannot have the field {nobody}"],
    ["{__proto__}", "cannot have the field {__proto__}"],
    ["{constructor} {} {subject}", "cannot have the field {constructor}"],
    ["{network", 'has an unmatched brace in "{network"'],
  ];
  for (const [template, name] of cases) assert.equal(named(template), name);
});
