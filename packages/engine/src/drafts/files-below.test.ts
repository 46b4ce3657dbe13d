import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { filesBelow } from "./copy-files.ts";
import { listBelow } from "../files/list-below.ts";

it("lists links that lead back to their folder once", async () => {
  const root = temporaryFolder({ "a/b/file": "x" });
  for (const name of ["x", "y", "z"]) await symlink(root, join(root, "a", name));
  const entries = await listBelow(root);
  const names = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  assert.deepEqual(names.sort(), ["a", "a/b", "a/b/file", "a/x", "a/y", "a/z"]);
  assert.deepEqual(await filesBelow(root), [join(root, "a/b/file")]);
});
