import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { link, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { openTrustedFolder } from "./beneath/open-folder.ts";
import { Reach } from "./beneath/reach.ts";
import { runLater } from "./beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "./link-or-copy.ts";

const root = await realpath(await mkdtemp(join(tmpdir(), "weft-bring-")));
after(() => rm(root, { recursive: true }));
let count = 0;

async function setUp() {
  const base = join(root, String(++count));
  const [own, target, outside] = ["own", "target", "outside"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]; // as many as were named
  for (const folder of [own, target, outside]) await mkdir(folder, { recursive: true });
  await writeFile(join(outside, "file"), "token");
  const options = {
    reach: new Reach({ regions: [{ folder: own }] }),
    ownFolder: own as string | undefined,
    sync: true,
    limits: { ...DEFAULT_LIMITS, listingEntries: 200, valueDepth: 20 },
  };
  const place = async (name: string, more: Partial<typeof options> = {}) => {
    using folder = await runLater(openTrustedFolder(target));
    await linkOrCopyFile(join(own, name), { folder, name: "file" }, { ...options, ...more });
  };
  const linkAll = async () => {
    using folder = await runLater(openTrustedFolder(target));
    await linkOrCopyFolder(own, folder, options);
  };
  return { own, target, outside, place, linkAll };
}

describe("linkOrCopyFile", () => {
  it("links a file of ours, and copies another", async () => {
    const { own, target, place } = await setUp();
    await writeFile(join(own, "file"), "made");
    await place("file");
    assert.equal((await stat(join(target, "file"))).nlink, 2);
    await place("file", { ownFolder: undefined });
    assert.equal((await stat(join(target, "file"))).nlink, 2, "the same file stays");
    await rm(join(target, "file"));
    await place("file", { ownFolder: undefined });
    assert.deepEqual(
      [(await stat(join(target, "file"))).nlink, await readFile(join(target, "file"), "utf8")],
      [1, "made"],
    );
  });

  it("replaces a link that is in the way, and never what it leads to", async () => {
    for (const ownFolder of [undefined, root]) {
      const { own, target, outside, place } = await setUp();
      await writeFile(join(own, "file"), "made");
      await symlink(join(outside, "file"), join(target, "file"));
      await place("file", { ownFolder });
      assert.ok((await lstat(join(target, "file"))).isFile());
      assert.equal(await readFile(join(outside, "file"), "utf8"), "token");
    }
  });

  it("does not remove a folder that is in the way", async () => {
    const { own, target, place } = await setUp();
    await writeFile(join(own, "file"), "made");
    await mkdir(join(target, "file"));
    await writeFile(join(target, "file/kept"), "kept");
    await assert.rejects(place("file"), { code: "EISDIR" });
    assert.equal(await readFile(join(target, "file/kept"), "utf8"), "kept");
  });
});

describe("linkOrCopyFolder", () => {
  it("brings each folder once, and ends where folders link to each other", async () => {
    const { own, target, linkAll } = await setUp();
    const names = Array.from({ length: 8 }, (_, index) => `f${index}`);
    for (const name of names) {
      await mkdir(join(own, name));
      await writeFile(join(own, name, "file"), name);
      for (const other of names) await symlink(`../${other}`, join(own, name, `to-${other}`));
    }
    await linkAll();
    const files = execFileSync("find", [target, "-type", "f"]).toString().trim().split("\n");
    assert.equal(files.length, 8);
    for (const name of names) assert.equal(await readFile(join(target, name, "file"), "utf8"), name);
  });

  it("keeps a link between folders as a link", async () => {
    const { own, target, linkAll } = await setUp();
    await mkdir(join(own, "usr/lib"), { recursive: true });
    await writeFile(join(own, "usr/lib/file"), "lib");
    await symlink("usr/lib", join(own, "lib64"));
    await linkAll();
    assert.ok((await lstat(join(target, "lib64"))).isSymbolicLink());
    for (const name of ["usr/lib", "lib64"]) assert.equal(await readFile(join(target, name, "file"), "utf8"), "lib");
  });

  it("fails for a tree that is too large or too deep", async () => {
    const wide = await setUp();
    for (let index = 0; index < 201; index += 1) await writeFile(join(wide.own, String(index)), "");
    await assert.rejects(wide.linkAll(), { code: "LIMIT_EXCEEDED" });
    const deep = await setUp();
    await mkdir(join(deep.own, ...Array.from({ length: 30 }, () => "d")), { recursive: true });
    await assert.rejects(deep.linkAll(), { code: "LIMIT_EXCEEDED" });
  });

  it("refuses a link that leads out of reach", async () => {
    const { own, outside, linkAll } = await setUp();
    await mkdir(join(own, "inner"));
    await symlink(outside, join(own, "inner/evil"));
    await assert.rejects(linkAll(), /evil` is a link to/);
  });
});

const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
libc = ctypes.CDLL(None)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000): libc.renameat2(-100, sys.argv[2].encode(), -100, sys.argv[3].encode(), 2)
`;
const hasPython = spawnSync("python3", ["-c", "import ctypes"]).status === 0;

describe("a process that goes on after its job", { skip: hasPython ? false : "python3 is not installed" }, () => {
  async function whileSwapping(own: string, names: readonly string[], work: () => Promise<void>): Promise<void> {
    const swapper = spawn("python3", ["-c", SWAPPER, own, ...names], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(swapper, "exit");
    await once(swapper.stdout, "data");
    try {
      await work();
    } finally {
      await writeFile(join(own, "stop"), "");
      await exited;
    }
  }

  for (const [what, ownFolder] of [
    ["linked", root],
    ["copied", undefined],
  ] as const)
    it(`does not get another file ${what} by swapping folders or files`, { timeout: 60_000 }, async () => {
      const { own, target, outside, place } = await setUp();
      await mkdir(join(own, "a"));
      await writeFile(join(own, "a/file"), "harmless");
      await symlink(outside, join(own, "b"));
      await writeFile(join(own, "c"), "harmless");
      await link(join(outside, "file"), join(outside, "again"));
      await symlink(join(outside, "file"), join(own, "d"));
      const seen = new Map<string, number>();
      for (const [names, path] of [
        [["a", "b"], "a/file"],
        [["c", "d"], "c"],
      ] as const)
        await whileSwapping(own, names, async () => {
          for (let round = 0; round < 500; round += 1) {
            await rm(join(target, "file"), { force: true });
            const text = await place(path, { ownFolder, sync: false }).then(
              () => readFile(join(target, "file"), "utf8"),
              (error: Error) => error.name,
            );
            seen.set(text, (seen.get(text) ?? 0) + 1);
          }
          await rm(join(own, "stop"), { force: true });
        }).then(() => rm(join(own, "stop"), { force: true }));
      assert.equal(seen.get("token") ?? 0, 0, JSON.stringify([...seen]));
      assert.ok((seen.get("harmless") ?? 0) > 10 && (seen.get("OutOfReach") ?? 0) > 10, JSON.stringify([...seen]));
    });
});
