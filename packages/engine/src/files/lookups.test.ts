import assert from "node:assert/strict";
import { readdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { OutOfReach } from "./beneath/out-of-reach.ts";
import { Reach } from "./beneath/reach.ts";
import { Lookups } from "./lookups.ts";

/** A reach that counts how often it walks to a path. */
class CountingReach extends Reach {
  walks = 0;

  override visit<Value>(...args: Parameters<Reach["visit"]>): ReturnType<typeof Reach.prototype.visit<Value>> {
    this.walks += 1;
    // The parameters and the result have the type that the caller chose.
    return super.visit(...args) as ReturnType<typeof Reach.prototype.visit<Value>>;
  }
}

function setUp() {
  const root = temporaryFolder({ "elsewhere/token": "secret", "data/closed/file": "secret", "data/a.bam": "abc" });
  const data = join(root, "data");
  const closed = { folder: join(data, "closed"), admits: () => false };
  return { root, data, reach: new CountingReach({ regions: [{ folder: data }, closed] }) };
}

describe("lookups of one request", () => {
  it("walk to a folder once for any number of its files", async () => {
    const { data, reach } = setUp();
    const names = Array.from({ length: 200 }, (_, index) => `deep/er/${index}.bam`);
    writeFiles(data, Object.fromEntries(names.map((name) => [name, "x"])));
    const paths = names.map((name) => join(data, name));
    using lookups = new Lookups({ reach });
    for (const path of paths)
      assert.deepEqual(await lookups.find(path), { stat: { kind: "file", size: 1 }, realPath: path });
    for (const path of paths) assert.equal(await lookups.find(`${path}.bai`), undefined);
    assert.equal(reach.walks, 1);
  });

  it("remember links and refusals, too", async () => {
    const { root, data, reach } = setUp();
    await symlink("a.bam", join(data, "link.bam"));
    await symlink(join(root, "elsewhere", "token"), join(data, "leak"));
    using lookups = new Lookups({ reach });
    const found = { stat: { kind: "file", size: 3 }, realPath: join(data, "a.bam") };
    assert.deepEqual(await lookups.find(join(data, "link.bam")), found);
    await assert.rejects(lookups.find(join(data, "leak")), OutOfReach);
    const { walks } = reach;
    assert.deepEqual(await lookups.find(join(data, "link.bam")), found);
    await assert.rejects(lookups.find(join(data, "leak")), OutOfReach);
    assert.equal(reach.walks, walks);
  });

  it("find the same entries as a walk", async () => {
    const { root, data, reach } = setUp();
    writeFiles(data, { "real/b": "12" });
    await symlink("real", join(data, "linked"));
    await symlink(join(root, "elsewhere"), join(data, "out"));
    using lookups = new Lookups({ reach });
    const inLinked = { stat: { kind: "file", size: 2 }, realPath: join(data, "real", "b") };
    assert.deepEqual(await lookups.find(join(data, "linked", "b")), inLinked);
    assert.deepEqual(await lookups.find(`${data}/real/../real//b`), inLinked);
    assert.deepEqual(await lookups.find(data), { stat: { kind: "directory", size: 0 }, realPath: data });
    assert.equal(await lookups.find(join(data, "none", "b")), undefined);
    assert.equal(await lookups.find(join(data, "a.bam", "b")), undefined);
    for (const refused of ["closed/file", "closed/none", "closed", "out/token", "../elsewhere/token"])
      await assert.rejects(lookups.find(join(data, refused)), OutOfReach, refused);
  });

  it("do not follow a folder that was swapped for a link", async () => {
    const { root, data, reach } = setUp();
    writeFiles(data, { "swap/first": "1" });
    using lookups = new Lookups({ reach });
    await lookups.find(join(data, "swap", "first"));
    await rename(join(data, "swap"), join(data, "away"));
    await symlink(join(root, "elsewhere"), join(data, "swap"));
    assert.equal(await lookups.find(join(data, "swap", "token")), undefined);
  });

  it("keep a bounded number of folders open", async () => {
    const { data, reach } = setUp();
    const names = Array.from({ length: 300 }, (_, index) => `sample-${index}`);
    writeFiles(data, Object.fromEntries(names.map((name) => [`${name}/x`, "x"])));
    const folders = names.map((name) => join(data, name));
    const before = await openDescriptors();
    using lookups = new Lookups({ reach });
    await Promise.all(folders.map((folder) => lookups.find(join(folder, "x"))));
    for (const folder of folders)
      assert.equal((await lookups.find(join(folder, "y"))) ?? (await lookups.find(join(folder, "x")))?.stat.size, 1);
    assert.ok((await openDescriptors()) - before < 80);
    assert.equal(reach.walks, 1);
    lookups[Symbol.dispose]();
    assert.ok((await openDescriptors()) - before < 10);
  });
});

async function openDescriptors(): Promise<number> {
  return (await readdir(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd")).length;
}
