import assert from "node:assert/strict";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createOpenAccess } from "../access/disk-access.ts";
import { listFolder, type EntryPlace } from "./list-folder.ts";

const { reach } = createOpenAccess({ sync: false, near: "/" }).all;

/** All pages of a folder, one after another; `between` happens after each. */
async function allNames(
  folder: string,
  size: number,
  { prefix = "", between = async () => undefined }: { prefix?: string; between?: () => Promise<unknown> } = {},
): Promise<string[]> {
  const names: string[] = [];
  let after: EntryPlace | undefined;
  for (;;) {
    const page = await listFolder(folder, reach, { after, size, prefix });
    assert.ok(page !== undefined && page.items.length <= size);
    names.push(...page.items.map(({ name }) => name));
    after = page.last;
    if (!page.hasMore) return names;
    await between();
  }
}

test("folders come before files, each by name, in pages of any size", async () => {
  const folder = temporaryFolder({ b: "", ä: "", B: "", a10: "", a9: "", "z/": "", "y/": "", ".hidden": "" });
  await symlink("nowhere", join(folder, "dangling"));
  await symlink("z", join(folder, "x"));
  const expected = ["x", "y", "z", "B", "a10", "a9", "b", "ä"];
  for (const size of [1, 2, 3, 7, 8, 100]) assert.deepEqual(await allNames(folder, size), expected, `${size}`);
  assert.deepEqual(await allNames(folder, 1, { prefix: "A" }), ["a10", "a9"]);
  assert.equal((await listFolder(folder, reach, { after: undefined, size: 1, prefix: "" }))?.total, 8);
});

test("entries that stay are listed once, while others come and go", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `f${String(index).padStart(2, "0")}`);
  const folder = temporaryFolder(Object.fromEntries(names.map((name) => [name, ""])));
  let round = 0;
  const between = async () => {
    round += 1;
    await writeFile(join(folder, `a${round}`), "");
    await rm(join(folder, `f0${round}`), { force: true });
  };
  const seen = await allNames(folder, 20, { between });
  assert.deepEqual(seen, names);
});

test("a missing folder has no page", async () => {
  const folder = temporaryFolder({ file: "" });
  for (const name of ["none", "file"])
    assert.equal(await listFolder(join(folder, name), reach, { after: undefined, size: 1, prefix: "" }), undefined);
});
