import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createOpenAccess } from "../access/disk-access.ts";
import { bundleInputs } from "./bundled-inputs.ts";
import { column } from "../testing/columns.ts";

const root = temporaryFolder({ "tree/a\nb/c\\d": "12345", "tree/plain": "1", "tree/a\nb/inner/": "" });
await symlink("..", join(root, "tree/a\nb/up"));
await symlink("nowhere", join(root, "tree/dangling"));

const bundle = (names: readonly string[]) =>
  bundleInputs(
    names.map((name) => ({ source: `file:${name}`, name })),
    async (source) => (source === "file:gone" ? undefined : { path: join(root, source.slice("file:".length)) }),
    createOpenAccess({ sync: false, near: root }).all.reach,
  );

test("a folder comes with its whole content; odd names are fixed by renaming, outer folders first", async () => {
  const { entries, renamings, sizeBytes } = await bundle(["tree"]);
  assert.deepEqual(column(entries, "name"), [
    "inputs/1/tree",
    "inputs/1/tree/a_b.weft-0",
    "inputs/1/tree/a_b.weft-0/c_d.weft-0",
    "inputs/1/tree/a_b.weft-0/inner",
    "inputs/1/tree/plain",
  ]);
  assert.deepEqual(renamings, [
    { from: "inputs/1/tree/a_b.weft-0", to: "inputs/1/tree/a\nb" },
    { from: "inputs/1/tree/a\nb/c_d.weft-0", to: "inputs/1/tree/a\nb/c\\d" },
  ]);
  assert.equal(sizeBytes, 6);
});

test("each location is listed once, and so is each missing one", async () => {
  const { places, missing, entries } = await bundle(["tree/plain", "gone", "tree/plain", "nowhere", "gone"]);
  assert.deepEqual([...places], [["file:tree/plain", "inputs/1/tree/plain"]]);
  assert.deepEqual(missing, ["file:gone", "file:nowhere"]);
  assert.equal(entries.length, 1);
});
