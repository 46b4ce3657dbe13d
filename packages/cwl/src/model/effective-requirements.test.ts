import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveRequirements } from "./effective-requirements.ts";
import type { Requirement } from "./requirement.ts";

const limit = (timelimit: number): Requirement => ({ class: "ToolTimeLimit", timelimit });
const none = { requirements: [], hints: [] };

/** Scopes from workflow to tool, each `requirement/hint`; then the limit, and whether it is required. */
const CASES: Readonly<Record<string, readonly [scopes: string, limit: number | undefined, isRequired: boolean]>> = {
  "nothing anywhere": ["/", undefined, false],
  "a hint alone counts": ["/1", 1, false],
  "inherited from the workflow": ["1/ /", 1, true],
  "the nearest requirement wins": ["1/ 2/ 3/", 3, true],
  "the step's requirement wins over the workflow's": ["1/ 2/ /", 2, true],
  "an outer requirement wins over a nearer hint": ["1/ /3", 1, true],
  "the nearest hint wins": ["/1 /2", 2, false],
};
for (const [name, [scopes, expected, isRequired]] of Object.entries(CASES))
  test(name, () => {
    const limits = (text = "") => (text === "" ? [] : [limit(Number(text))]);
    const set = effectiveRequirements(
      scopes.split(" ").map((scope) => {
        const [requirement, hint] = scope.split("/");
        return { requirements: limits(requirement), hints: limits(hint) };
      }),
    );
    assert.equal(set.get("ToolTimeLimit")?.timelimit, expected);
    assert.equal(set.isRequired("ToolTimeLimit"), isRequired);
  });

test("requirements of an input object win over the process's own, and are inherited", () => {
  const set = effectiveRequirements([{ requirements: [limit(1)], hints: [] }], [limit(9)]);
  assert.equal(set.get("ToolTimeLimit")?.timelimit, 9);
  assert.equal(set.enter(none).get("ToolTimeLimit")?.timelimit, 9);
  assert.equal(set.enter({ requirements: [limit(3)], hints: [] }).get("ToolTimeLimit")?.timelimit, 3);
});

test("entering a scope does not change the outer set", () => {
  const outer = effectiveRequirements([none]);
  outer.enter({ requirements: [limit(5)], hints: [] });
  assert.equal(outer.get("ToolTimeLimit"), undefined);
});

test("implied requirements of a version rank below hints, and apply only to processes of that version", () => {
  const old = { ...none, defaults: [limit(1)] };
  const hinting = { ...none, hints: [limit(2)] };
  const timelimit = (...scopes: Parameters<typeof effectiveRequirements>[0]) =>
    effectiveRequirements(scopes).get("ToolTimeLimit")?.timelimit;
  assert.equal(timelimit(old), 1);
  assert.equal(timelimit(old, none), 1);
  assert.equal(timelimit(old, { ...none, defaults: [] }), undefined);
  assert.equal(timelimit(hinting, old), 2);
  assert.equal(effectiveRequirements([old]).isRequired("ToolTimeLimit"), false);
});
