import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { createOpenAccess } from "../../access/disk-access.ts";
import { FileContents } from "./file-contents.ts";

function setUp(more: (files: FileAccess) => Partial<ConstructorParameters<typeof FileContents>[0]> = () => ({})) {
  const root = temporaryFolder({ "d/a.txt": "a", "d/deep/b.txt": "b" });
  const runsFolder = join(root, "runs");
  const { files, reach } = createOpenAccess({ sync: false, near: runsFolder }).all;
  const contents = new FileContents({ files, reach, runsFolder, ...more(files) });
  return { root, uri: pathToUri(join(root, "d")), contents };
}

describe("the digest of a folder", () => {
  const changes: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
    ["a file within", (folder) => writeFile(join(folder, "deep", "b.txt"), "c")],
    ["a new file", (folder) => writeFile(join(folder, "deep", "c.txt"), "")],
    ["a new empty folder", (folder) => mkdir(join(folder, "empty"))],
    ["a name", (folder) => rename(join(folder, "a.txt"), join(folder, "b.txt"))],
    ["a file that became a folder", async (folder) => (await rm(join(folder, "a.txt")), mkdir(join(folder, "a.txt")))],
    ["a file gone", (folder) => rm(join(folder, "a.txt"))],
  ];
  for (const [name, change] of changes)
    it(`changes with ${name}`, async () => {
      const { root, uri, contents } = setUp();
      const before = await contents.folder(uri);
      await change(join(root, "d"));
      assert.notEqual(await contents.folder(uri), before);
    });

  it("does not depend on the location or name of the folder", async () => {
    const { root, uri, contents } = setUp();
    const before = await contents.folder(uri);
    await rename(join(root, "d"), join(root, "e"));
    assert.equal(await contents.folder(pathToUri(join(root, "e"))), before);
  });

  it("terminates for a folder that contains itself through a link", async () => {
    const { root, uri, contents } = setUp();
    const before = await contents.folder(uri);
    await symlink(join(root, "d"), join(root, "d", "deep", "round"));
    assert.notEqual(await contents.folder(uri), before);
  });

  it("is computed once for all concurrent callers", async () => {
    let lists = 0;
    const { uri, contents } = setUp((files) => ({
      files: { ...files, list: (folder) => ((lists += 1), files.list(folder)) },
    }));
    const digests = await Promise.all([contents.folder(uri), contents.folder(uri), contents.folder(uri)]);
    assert.deepEqual([new Set(digests).size, lists], [1, 2]);
  });

  it("fails if reading a file is refused", async () => {
    const asked: number[] = [];
    const mayRead = (sizeBytes: number) => {
      asked.push(sizeBytes);
      throw new Error("too much");
    };
    const { uri, contents } = setUp(() => ({ mayRead }));
    await assert.rejects(contents.folder(uri), /too much/);
    assert.deepEqual(asked, [1]);
  });
});
