import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, chown, link, lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { needsRoot } from "@weft/tooling/lacks.ts";
import { measureRun } from "./measure-run.ts";
import { removePart } from "./remove-part.ts";
import { RUN_IDS, StateOfRuns } from "./testing/state-of-runs.ts";

const [RUN = ""] = RUN_IDS;

describe("the files of a run", () => {
  const state = StateOfRuns.create();

  let count = 0;
  /** A run in a separate folder; its report has a second hard link among the job's files. */
  async function run() {
    const name = `${RUN.slice(0, -1)}${count++}`;
    const folder = join(state.runsFolder, name);
    await state.endedRun(name);
    await link(join(folder, "outputs/report.txt"), join(folder, "jobs/make@1/out/report.txt"));
    const named = ["out", "out/sub", "out/sub/named-errors.txt"];
    const namedLogs = new Set(named.map((path) => join(folder, "jobs/make@1", path)));
    return { folder, namedLogs, at: (path: string) => join(folder, path) };
  }

  /** Counts like `du`: the blocks of everything, a file with two names once. */
  async function diskUsage(...folders: string[]): Promise<number> {
    const blocks = new Map<number, number>();
    for (const folder of folders)
      for (const path of ["", ...(await readdir(folder, { recursive: true }))]) {
        const { ino, blocks: own } = await lstat(join(folder, path));
        blocks.set(ino, own);
      }
    return [...blocks.values()].reduce((sum, own) => sum + own * 512, 0);
  }

  it("are measured in disk blocks, a file with two names once, as an output", async () => {
    const { folder, namedLogs, at } = await run();
    const { outputs_bytes, intermediate_bytes, logs_bytes } = await measureRun({ folder, namedLogs });
    assert.equal(outputs_bytes, await diskUsage(at("outputs")));
    const both = await diskUsage(at("outputs"), at("jobs"));
    assert.equal(outputs_bytes + intermediate_bytes + logs_bytes, both);
    const before = await diskUsage(at("jobs"));
    await removePart({ folder, namedLogs }, "intermediate");
    assert.equal(logs_bytes, await diskUsage(at("jobs")));
    assert.ok(before > logs_bytes);
  });

  it("are removed except for logs and outputs", async () => {
    const at = await run();
    const { bytes, failures } = await removePart(at, "intermediate");
    assert.deepEqual(failures, []);
    assert.ok(bytes >= 10_000 && bytes < 40_000, `${bytes} bytes, without those of the output`);
    assert.deepEqual((await readdir(at.at("jobs/make@1"), { recursive: true })).toSorted(), [
      "launch",
      "out",
      "out/sub",
      "out/sub/named-errors.txt",
      "stdout",
    ]);
    assert.deepEqual(await readdir(at.at("outputs")), ["report.txt"]);
  });

  it("are removed part by part, and removing twice has no further effect", async () => {
    const at = await run();
    for (const part of ["logs", "intermediate", "outputs", "outputs", "intermediate"] as const)
      assert.deepEqual((await removePart(at, part)).failures, []);
    assert.deepEqual(await readdir(at.folder), []);
    assert.deepEqual(await measureRun(at), { outputs_bytes: 0, intermediate_bytes: 0, logs_bytes: 0 });
  });

  it("may be links to any path: only the links are removed", async () => {
    const at = await run();
    const secret = state.write("elsewhere/secret.txt", "secret");
    const folder = join(state.root, "elsewhere");
    await symlink(folder, at.at("jobs/make@1/out/link"));
    await symlink(folder, at.at("outputs/link"));
    // A job can replace its own folder with a link.
    await symlink(folder, at.at("jobs/evil@1"));
    for (const part of ["intermediate", "outputs", "logs"] as const) await removePart(at, part);
    assert.ok(existsSync(secret));
    assert.deepEqual(await readdir(at.folder), []);
  });

  it("do not lead out of the run if the folder of all outputs is a link", async () => {
    const secret = state.write("elsewhere/secret.txt", "secret");
    const folder = join(state.runsFolder, "linked");
    await mkdir(folder);
    await symlink(join(state.root, "elsewhere"), join(folder, "outputs"));
    await removePart({ folder, namedLogs: new Set() }, "outputs");
    assert.ok(existsSync(secret));
    assert.deepEqual(await readdir(folder), []);
  });

  it("are removed even if a tool has left its folders read-only", async () => {
    const at = await run();
    await chmod(at.at("jobs/make@1/out/sub"), 0o500);
    await chmod(at.at("jobs/make@1/out"), 0o000);
    assert.deepEqual((await removePart(at, "intermediate")).failures, []);
    assert.ok(!existsSync(at.at("jobs/make@1/out/other.txt")));
  });

  it(
    "stay and are reported if they belong to another account, and all others are removed",
    { skip: needsRoot("makes files of another account") },
    async () => {
      const at = await run();
      await mkdir(at.at("jobs/make@1/out/theirs"));
      state.write(`runs/${at.folder.split("/").at(-1)}/jobs/make@1/out/theirs/a.txt`, "a");
      await mkdir(at.at("jobs/make@1/out/closed"), { mode: 0o700 });
      // From here on this process is another account, to which the rest belongs.
      for (const path of ["", "jobs", "jobs/make@1", "jobs/make@1/out", "jobs/make@1/out/sub"])
        await chown(at.at(path), 65_534, 0);
      for (const path of [state.root, state.runsFolder]) await chmod(path, 0o755);
      process.seteuid?.(65_534);
      const { failures } = await removePart(at, "intermediate").finally(() => process.seteuid?.(0));
      assert.deepEqual(
        failures.map(({ path, message }) => `${path} ${message}`),
        ["jobs/make@1/out/closed permission denied", "jobs/make@1/out/theirs/a.txt permission denied"],
      );
      assert.ok(!existsSync(at.at("jobs/make@1/out/other.txt")));
      assert.ok(existsSync(at.at("jobs/make@1/out/theirs/a.txt")));
    },
  );
});
