import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Reach } from "../files/beneath/reach.ts";
import { hashFile } from "../files/hash-file.ts";
import { placeFiles } from "./place-files.ts";
import type { Placement } from "./plan-placements.ts";

const root = await mkdtemp(join(tmpdir(), "weft-place-"));
after(() => rm(root, { recursive: true }));

/** Swaps two names of a folder as fast as it can. */
const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
libc = ctypes.CDLL(None)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000): libc.renameat2(-100, b"a", -100, b"b", 2)
`;
const hasPython = spawnSync("python3", ["-c", "import ctypes"]).status === 0;

/** A folder to write to, and a way to place texts in it. */
async function newSink(name: string) {
  const folder = join(root, name);
  await mkdir(join(root, `${name}-out`));
  await mkdir(folder);
  const placement = async (path: string, text: string | undefined): Promise<Placement> => {
    const whole = { path: path.split("/"), location: undefined };
    const at = { output: "o", sampleId: null, root: "r", path: whole.path, whole };
    if (text === undefined) return { ...at, file: undefined };
    const source = join(root, `${name}-out`, path.replaceAll("/", "_"));
    await writeFile(source, text);
    const { sha1, sizeBytes } = await hashFile(source);
    return { ...at, file: { location: pathToFileURL(source).href, checksum: sha1, size: sizeBytes } };
  };
  const placed: Placement[] = [];
  const place = (placements: readonly Placement[], folders: Record<string, string> = { r: folder }) =>
    placeFiles(
      placements,
      {
        runId: "run",
        reach: new Reach({ regions: [{ folder: join(root, `${name}-out`) }] }),
        sinks: { folders, umask: 0o027 },
        sync: true,
      },
      placed,
    );
  return { folder, placement, place, placed };
}

test("files are copied with the rights that the account gives, and can be placed again as they are", async () => {
  const { folder, placement, place, placed } = await newSink("plain");
  const placements = [
    await placement("a/b/c.txt", "one"),
    await placement("a/d.txt", "two"),
    await placement("e/f", undefined),
  ];
  assert.equal(await place(placements), undefined);
  assert.equal(await readFile(join(folder, "a/b/c.txt"), "utf8"), "one");
  assert.deepEqual(await readdir(join(folder, "a")), ["b", "d.txt"]);
  assert.deepEqual(await readdir(join(folder, "e/f")), []);
  const modes = await Promise.all(["a/d.txt", "a"].map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  assert.deepEqual(modes, [0o640, 0o750]);
  assert.equal(placed.length, 3);
  assert.equal(await place(placements), undefined, "what is there already is as it should be");
});

test("a copy is no other name of the run's own file", async () => {
  const { folder, placement, place } = await newSink("copy");
  const one = await placement("x", "ours");
  await place([one]);
  await writeFile(join(folder, "x"), "theirs");
  assert.equal(await readFile(new URL(one.file?.location ?? ""), "utf8"), "ours");
});

test("something else is never replaced, and nothing is copied then", async () => {
  const { folder, placement, place, placed } = await newSink("taken");
  await writeFile(join(folder, "b"), "old");
  const fault = await place([await placement("a", "new"), await placement("b", "new")]);
  assert.match(fault?.message ?? "", /vfs:\/\/r\/b/);
  assert.match(fault?.hint ?? "", /\{run_id\}/);
  assert.deepEqual([await readdir(folder), placed.length], [["b"], 0]);
  assert.equal(await readFile(join(folder, "b"), "utf8"), "old");
});

test("a link does not lead out of the folder", async () => {
  const { folder, placement, place } = await newSink("linked");
  await mkdir(join(root, "elsewhere"));
  await symlink(join(root, "elsewhere"), join(folder, "out"));
  const fault = await place([await placement("out/x", "1")]);
  assert.match(fault?.message ?? "", /leads out of its folder/);
  assert.deepEqual(await readdir(join(root, "elsewhere")), []);
});

test("a link within the folder is followed", async () => {
  const { folder, placement, place } = await newSink("within");
  await mkdir(join(folder, "real"));
  await symlink("real", join(folder, "alias"));
  assert.equal(await place([await placement("alias/x", "1")]), undefined);
  assert.equal(await readFile(join(folder, "real/x"), "utf8"), "1");
});

test(
  "whoever may write into the folder cannot lead a copy out of it by swapping",
  { skip: hasPython ? false : "python3 is not installed", timeout: 60_000 },
  async () => {
    const { folder, placement, place } = await newSink("swapped");
    const elsewhere = join(root, "swapped-elsewhere");
    await mkdir(elsewhere);
    await mkdir(join(folder, "a"));
    await symlink(elsewhere, join(folder, "b"));
    const swapper = spawn("python3", ["-c", SWAPPER, folder], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(swapper, "exit");
    await once(swapper.stdout, "data");
    let count = 0;
    try {
      for (let round = 0; round < 300; round += 1)
        if ((await place([await placement(`a/${round}`, "1")]).catch(() => "refused")) === undefined) count += 1;
    } finally {
      await writeFile(join(folder, "stop"), "");
      await exited;
    }
    assert.deepEqual(await readdir(elsewhere), []);
    assert.ok(count > 0);
  },
);

test("a folder that is no longer configured is told with the flag", async () => {
  const { placement, place } = await newSink("gone");
  const fault = await place([await placement("x", "1")], {});
  assert.match(fault?.hint ?? "", /--sink r=DIR/);
});

test("what an attempt left that was broken off is no hindrance", async () => {
  const { folder, placement, place } = await newSink("partial");
  await writeFile(join(folder, ".weft-run.part"), "half");
  assert.equal(await place([await placement("x", "whole")]), undefined);
  assert.deepEqual(await readdir(folder), ["x"]);
});

test("a file that has changed since it was published is not passed off as the output", async () => {
  const { folder, placement, place } = await newSink("changed");
  const one = await placement("x", "true");
  await writeFile(new URL(one.file?.location ?? ""), "fals");
  assert.match((await place([one]))?.message ?? "", /differs from the output of the run/);
  assert.deepEqual(await readdir(folder), []);
});
