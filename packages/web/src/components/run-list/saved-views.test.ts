import assert from "node:assert/strict";
import { test } from "node:test";
import { SavedViews } from "./saved-views.ts";

function storageWith(text?: string) {
  let kept = text ?? null;
  return { getItem: () => kept, setItem: (_key: string, value: string) => void (kept = value) };
}

test("SavedViews", () => {
  const views = new SavedViews(storageWith());
  let changes = 0;
  const stop = views.subscribe(() => (changes += 1));
  views.add(" Mine ", "owner=ann");
  views.add("Failed", "state=failed");
  views.add("Mine", "owner=bob");
  views.add("  ", "q=x");
  assert.deepEqual(views.list(), [
    { name: "Failed", search: "state=failed" },
    { name: "Mine", search: "owner=bob" },
  ]);
  assert.equal(views.list(), views.list());
  views.remove("Failed");
  assert.deepEqual(
    views.list().map(({ name }) => name),
    ["Mine"],
  );
  assert.equal(changes, 4);
  stop();
  for (let n = 0; n < 40; n += 1) views.add(`view ${n}`, "");
  assert.equal(views.list().length, 30);
  assert.equal(changes, 4);
});

test("SavedViews ignores unknown entries", () => {
  for (const text of ["", "{", "5", "null", '{"name":"a"}', '[1,null,{"name":"a"},{"name":1,"search":""}]'])
    assert.deepEqual(new SavedViews(storageWith(text)).list(), []);
});
