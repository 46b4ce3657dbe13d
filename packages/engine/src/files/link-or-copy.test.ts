import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readFile, readdir, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { linkedFolders } from "./testing/linked-folders.ts";

const root = temporaryFolder();
describe("linkOrCopyFile", () => {
  it("links a file of this account, and copies another", async () => {
    const { own, target, place } = linkedFolders(root);
    await writeFile(join(own, "file"), "made");
    await place("file");
    assert.equal((await stat(join(target, "file"))).nlink, 2);
    await place("file", { ownFolder: undefined });
    assert.equal((await stat(join(target, "file"))).nlink, 2, "the same file stays");
    await rm(join(target, "file"));
    await place("file", { ownFolder: undefined });
    assert.equal((await stat(join(target, "file"))).nlink, 1);
    assert.equal(await readFile(join(target, "file"), "utf8"), "made");
  });

  it("makes copies writable if they should be", async () => {
    for (const mode of [0o444, 0o500, 0o644]) {
      const { own, target, place } = linkedFolders(root);
      await writeFile(join(own, "file"), "made");
      await chmod(join(own, "file"), mode);
      await place("file", { ownFolder: undefined, makesWritable: true });
      assert.equal((await stat(join(target, "file"))).mode & 0o777, mode | 0o200);
      assert.equal((await stat(join(own, "file"))).mode & 0o777, mode);
    }
  });

  it("replaces a link with the same name, and never its target", async () => {
    for (const ownFolder of [undefined, root]) {
      const { own, target, outside, place } = linkedFolders(root);
      await writeFile(join(own, "file"), "made");
      await symlink(join(outside, "file"), join(target, "file"));
      await place("file", { ownFolder });
      assert.ok((await lstat(join(target, "file"))).isFile());
      assert.equal(await readFile(join(outside, "file"), "utf8"), "token");
    }
  });

  it("does not remove a folder that is in the way", async () => {
    const { own, target, place } = linkedFolders(root);
    await writeFile(join(own, "file"), "made");
    writeFiles(target, { "file/kept": "kept" });
    await assert.rejects(place("file"), { code: "EISDIR" });
    assert.equal(await readFile(join(target, "file/kept"), "utf8"), "kept");
  });
});

describe("linkOrCopyFolder", () => {
  it("copies each folder once, and ends if folders link to each other", async () => {
    const { own, target, linkAll } = linkedFolders(root);
    const names = Array.from({ length: 8 }, (_, index) => `f${index}`);
    for (const name of names) {
      writeFiles(own, { [`${name}/file`]: name });
      for (const other of names) await symlink(`../${other}`, join(own, name, `to-${other}`));
    }
    await linkAll();
    assert.equal(await countFiles(target), 8);
    for (const name of names) assert.equal(await readFile(join(target, name, "file"), "utf8"), name);
  });

  it("keeps a link between folders as a link", async () => {
    const { own, target, linkAll } = linkedFolders(root);
    writeFiles(own, { "usr/lib/file": "lib" });
    await symlink("usr/lib", join(own, "lib64"));
    await linkAll();
    assert.ok((await lstat(join(target, "lib64"))).isSymbolicLink());
    for (const name of ["usr/lib", "lib64"]) assert.equal(await readFile(join(target, name, "file"), "utf8"), "lib");
  });

  it("keeps dangling links", async () => {
    const { own, target, linkAll } = linkedFolders(root);
    await mkdir(join(own, "sub"));
    const targets = { dead: "missing", annexed: "../.git/annex/objects/x", away: join(own, "gone") };
    for (const [name, to] of Object.entries(targets)) await symlink(to, join(own, "sub", name));
    await linkAll();
    // A server that ended during the copy has already created some.
    await linkAll();
    for (const [name, to] of Object.entries(targets)) assert.equal(await readlink(join(target, "sub", name)), to);
  });

  it("fails for a tree that is too large or too deep", async () => {
    const wide = linkedFolders(root);
    for (let index = 0; index < 201; index += 1) await writeFile(join(wide.own, String(index)), "");
    await assert.rejects(wide.linkAll(), { code: "LIMIT_EXCEEDED" });
    const deep = linkedFolders(root);
    await mkdir(join(deep.own, ...Array.from({ length: 30 }, () => "d")), { recursive: true });
    await assert.rejects(deep.linkAll(), { code: "LIMIT_EXCEEDED" });
  });

  it("refuses a link that leads out of reach", async () => {
    const { own, outside, linkAll } = linkedFolders(root);
    await mkdir(join(own, "inner"));
    await symlink(outside, join(own, "inner/evil"));
    await assert.rejects(linkAll(), /evil` is a link to/);
  });
});

/** Follows no link: `readdir` does if it is recursive. */
async function countFiles(folder: string): Promise<number> {
  let count = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }))
    count += entry.isDirectory() ? await countFiles(join(folder, entry.name)) : Number(entry.isFile());
  return count;
}
