import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { openTrustedFolder } from "../files/beneath/open-folder.ts";
import { runNow } from "../files/beneath/steps.ts";
import { SpareFolders } from "./spare-folders.ts";

describe("SpareFolders", () => {
  const spoilers: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
    ["no record", (folder) => rm(join(folder, "record"))],
    ["another file", (folder) => writeFile(join(folder, "more"), "")],
    ["a stream that is not empty", (folder) => writeFile(join(folder, "stderr"), "oops")],
    ["a link in place of a stream", (folder) => symlink("/etc/passwd", join(folder, "stdout"))],
    [
      "a link in place of its record",
      (folder) => rm(join(folder, "record")).then(() => symlink("/x", join(folder, "record"))),
    ],
    ["an output", (folder) => writeFile(join(folder, "out/left"), "")],
    ["another mode", (folder) => chmod(join(folder, "out"), 0o700)],
    ["no temporary folder", (folder) => rm(join(folder, "tmp"), { recursive: true })],
  ];
  for (const [what, spoil] of spoilers)
    it(`does not keep a folder with ${what}`, async (t) => {
      const folder = await endedJob(t);
      await spoil(folder);
      assert.equal(keeps(new SpareFolders(), folder), false);
    });

  it("gives a folder once, and leaves one that is in the way", async (t) => {
    const folder = await endedJob(t);
    const spares = new SpareFolders();
    assert.equal(keeps(spares, folder), true);
    const taken = join(folder, "../b@1");
    assert.equal(spares.take({ folder: taken }), true);
    assert.deepEqual((await readdir(taken)).toSorted(), ["out", "relaunch", "stderr", "tmp"]);
    assert.equal(spares.take({ folder: join(folder, "../c@1") }), false);
    const other = await endedJob(t);
    assert.equal(keeps(spares, other), true);
    await mkdir(join(other, "../d@1/out"), { recursive: true });
    assert.equal(spares.take({ folder: join(other, "../d@1") }), false);
  });
});

function keeps(spares: SpareFolders, path: string): boolean {
  using folder = runNow(openTrustedFolder(path));
  return spares.keep(folder);
}

async function endedJob(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "weft-spare-"));
  t.after(() => rm(root, { recursive: true }));
  const folder = join(root, "jobs/a@1");
  for (const name of ["out", "tmp"]) await mkdir(join(folder, name), { recursive: true });
  for (const name of ["record", "stderr"]) await writeFile(join(folder, name), "");
  return folder;
}
