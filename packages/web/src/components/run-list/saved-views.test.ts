import assert from "node:assert/strict";
import { test } from "node:test";
import { readViews, withView } from "./saved-views.ts";

test("a view is added by name, once, and only up to the maximum", () => {
  const added = [
    [" Mine ", "owner=ann"],
    ["Failed", "state=failed"],
    ["Mine", "owner=bob"],
    ["  ", "q=x"],
  ].reduce<ReturnType<typeof readViews>>(
    (views, [name = "", search = ""]) => withView(views, name, search),
    readViews(null),
  );
  assert.deepEqual(added, [
    { name: "Failed", search: "state=failed" },
    { name: "Mine", search: "owner=bob" },
  ]);
  const names = Array.from({ length: 40 }, (_, n) => `view ${n}`);
  const many = names.reduce((views, name) => withView(views, name, ""), readViews(added));
  assert.equal(many.length, 30);
});

test("ignores entries that no view wrote", () => {
  for (const kept of ["", "{", 5, null, { name: "a" }, [1, null, { name: "a" }, { name: 1, search: "" }]])
    assert.deepEqual(readViews(kept), []);
});
