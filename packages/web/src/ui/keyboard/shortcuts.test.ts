import assert from "node:assert/strict";
import { test } from "node:test";
import { SHORTCUTS, matchKeys } from "./shortcuts.ts";

const page = SHORTCUTS.filter(({ scope }) => scope === "page");

test("matchKeys", () => {
  const cases: [string[], string][] = [
    [["?"], "act help"],
    [["g"], "wait g"],
    [["g", "h"], "act go.home"],
    [["g", "z"], "none"],
    [["g", "j"], "act row.next"],
    [["g", "g"], "wait g"],
    [["t"], "act theme"],
    [["g", "t"], "act go.tools"],
    [["k"], "act row.previous"],
    [["x"], "act row.select"],
    [["z"], "none"],
  ];
  for (const [typed, expected] of cases) {
    const match = matchKeys(page, typed);
    const text =
      match.kind === "act" ? `act ${match.id}` : match.kind === "wait" ? `wait ${match.typed.join()}` : "none";
    assert.equal(text, expected, typed.join(" "));
  }
});

test("matches nothing without shortcuts", () => {
  assert.deepEqual(matchKeys([], ["?"]), { kind: "none" });
});

test("no shortcut hides another that can be on the same page", () => {
  for (const part of ["Timeline", "Graph", "Log"]) {
    const together = page.filter(({ group }) => group === part || !["Timeline", "Graph", "Log"].includes(group));
    for (const { id, keys } of together)
      for (const sequence of keys) assert.deepEqual(matchKeys(together, [...sequence]), { kind: "act", id });
  }
});
