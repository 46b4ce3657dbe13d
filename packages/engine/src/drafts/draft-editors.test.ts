import assert from "node:assert/strict";
import { it } from "node:test";
import { MAX_DRAFT_EDITORS } from "@weft/shared/records/draft-record.ts";
import { DraftEditors } from "./draft-editors.ts";

it("lists the other windows of a draft until they close or stop sending requests", () => {
  const editors = new DraftEditors();
  const visit = (editor: string, nowMs: number, draft = "d") =>
    editors.visit(draft, { editor, name: `name of ${editor}`, nowMs });
  assert.deepEqual(visit("a", 0), []);
  assert.deepEqual(visit("b", 1000), ["name of a"]);
  assert.deepEqual(visit("a", 2000), ["name of b"]);
  assert.deepEqual(visit("c", 3000, "other"), []);
  assert.deepEqual(visit("a", 16_001), [], "b was silent for 15 seconds");
  assert.deepEqual(visit("b", 16_002), ["name of a"]);
  assert.deepEqual(editors.list("d", 16_002), ["name of a", "name of b"]);
  assert.deepEqual(editors.list("d", 31_002), ["name of b"], "a was silent");
  assert.deepEqual(editors.list("d", 16_002), ["name of a", "name of b"], "asking changes nothing");
  assert.deepEqual(editors.list("none", 0), []);
  editors.leave("d", "a");
  editors.leave("d", "a");
  editors.leave("none", "a");
  assert.deepEqual(visit("b", 16_003), []);
});

it("forgets the oldest of too many windows", () => {
  const editors = new DraftEditors();
  for (let index = 0; index < 1000; index++) editors.visit("d", { editor: `${index}`, name: "somebody", nowMs: 0 });
  assert.equal(editors.visit("d", { editor: "last", name: "me", nowMs: 0 }).length, MAX_DRAFT_EDITORS);
});
