import assert from "node:assert/strict";
import { it } from "node:test";
import { jobIdOf } from "./job-events.ts";

const cases: [string, string][] = [
  ["", "main"],
  ["smooth", "smooth"],
  ["smooth[12]", "smooth-12"],
  ["subject[2]/smooth[0][1]", "subject-2.smooth-0-1"],
  ["per-subject[2]/smooth", "per-subject-2.smooth.7"],
  ["a.b", "a.b.7"],
  ["größe", "gr__e.7"],
  ["_x", "j_x"],
];
for (const [call, id] of cases) it(`names ${JSON.stringify(call)} ${id}`, () => assert.equal(jobIdOf(call, 7), id));

it("fits the contract's pattern, however long", () => {
  assert.match(jobIdOf(`${"a".repeat(400)}/b`, 123), /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/);
});
