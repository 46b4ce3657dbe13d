import assert from "node:assert/strict";
import { mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { newSink } from "./testing/new-sink.ts";

const root = temporaryFolder();

test("files are copied with the permissions of the account, and can be placed again unchanged", async () => {
  const { folder, placement, place, placed } = await newSink(root, "plain");
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
  assert.equal(await place(placements), undefined, "existing copies with equal content are accepted");
});

test("a copy is not a link to the run's own file", async () => {
  const { folder, placement, place } = await newSink(root, "copy");
  const one = await placement("x", "ours");
  await place([one]);
  await writeFile(join(folder, "x"), "theirs");
  assert.equal(await readFile(new URL(one.file?.location ?? ""), "utf8"), "ours");
});

test("another file is never replaced, and then nothing is copied", async () => {
  const { folder, placement, place, placed } = await newSink(root, "taken");
  await writeFile(join(folder, "b"), "old");
  const fault = await place([await placement("a", "new"), await placement("b", "new")]);
  assert.match(fault?.message ?? "", /vfs:\/\/r\/b/);
  assert.match(fault?.hint ?? "", /\{run_id\}/);
  assert.deepEqual([await readdir(folder), placed.length], [["b"], 0]);
  assert.equal(await readFile(join(folder, "b"), "utf8"), "old");
});

test("a link does not lead out of the folder", async () => {
  const { folder, placement, place } = await newSink(root, "linked");
  await mkdir(join(root, "elsewhere"));
  await symlink(join(root, "elsewhere"), join(folder, "out"));
  const fault = await place([await placement("out/x", "1")]);
  assert.match(fault?.message ?? "", /leads out of its folder/);
  assert.deepEqual(await readdir(join(root, "elsewhere")), []);
});

test("a link within the folder is followed", async () => {
  const { folder, placement, place } = await newSink(root, "within");
  await mkdir(join(folder, "real"));
  await symlink("real", join(folder, "alias"));
  assert.equal(await place([await placement("alias/x", "1")]), undefined);
  assert.equal(await readFile(join(folder, "real/x"), "utf8"), "1");
});

test("a folder that is no longer configured is reported with its flag", async () => {
  const { placement, place } = await newSink(root, "gone");
  const fault = await place([await placement("x", "1")], {});
  assert.match(fault?.hint ?? "", /--sink r=DIR/);
});

test("files of an interrupted attempt are replaced", async () => {
  const { folder, placement, place } = await newSink(root, "partial");
  await writeFile(join(folder, ".weft-run.part"), "half");
  assert.equal(await place([await placement("x", "whole")]), undefined);
  assert.deepEqual(await readdir(folder), ["x"]);
});

test("a file that has changed since it was published is not passed off as the output", async () => {
  const { folder, placement, place } = await newSink(root, "changed");
  const one = await placement("x", "true");
  await writeFile(new URL(one.file?.location ?? ""), "fals");
  assert.match((await place([one]))?.message ?? "", /differs from the output of the run/);
  assert.deepEqual(await readdir(folder), []);
});
