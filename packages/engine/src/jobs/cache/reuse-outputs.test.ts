import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { createOpenAccess } from "../../access/disk-access.ts";
import { PortableUris } from "../../files/portable-uri.ts";
import { openMemoryJournal } from "../../journal/memory-journal.ts";
import type { JobRow } from "../../journal/rows.ts";
import { reuseOutputs } from "./reuse-outputs.ts";

const MADE = "runs/old/jobs/make@2/out";
const FILES = {
  [`${MADE}/a.txt`]: "a",
  [`${MADE}/made/deep/b.txt`]: "b",
  "runs/old/jobs/make@2/stderr": "told",
  "runs/old/jobs/before@1/out/passed.txt": "passed on",
  "data/given.txt": "given",
};

/** A folder of runs with one job, and the way to take its outputs over. */
async function setUp(t: TestContext, outputs: (uri: (path: string) => string) => CwlObject) {
  const root = temporaryFolder(FILES);
  const journal = openMemoryJournal(() => 0);
  t.after(() => journal.close());
  const text = JSON.stringify(outputs((path) => pathToUri(join(root, path))));
  const services = {
    journal: { ...journal, read: { ...journal.read, blob: () => text } },
    uris: new PortableUris({}),
    runsFolder: join(root, "runs"),
    sync: true,
    access: createOpenAccess({ sync: false, near: join(root, "runs") }),
    limits: DEFAULT_LIMITS,
  };
  const workdir = join(root, MADE);
  const streams = { stdout: join(workdir, "a.txt"), stderr: join(workdir, "../stderr") };
  const command = { argv: ["make"], env: {}, workdir, ...streams };
  // Only the fields that the test needs.
  const row = { runId: "old", jobId: "make", attempt: 2, outputs: "sha256:0", command } as unknown as JobRow;
  const folder = join(root, "runs", "new", "jobs", "make@1");
  return { root, folder, take: () => reuseOutputs(row, folder, { ...services, ...services.access.all }) };
}

const file = (location: string) => ({ class: "File", location }) as const;
const text = (path: string) => readFile(path, "utf8");

describe("reuseOutputs", () => {
  it("gives files, folders and logs the same paths in the new folder, and survives the old one", async (t) => {
    const { root, folder, take } = await setUp(t, (uri) => ({
      a: file(uri(`${MADE}/a.txt`)),
      made: { class: "Directory", location: uri(`${MADE}/made`) },
    }));
    const outputs = await take();
    assert.deepEqual(outputs, {
      a: file(pathToUri(join(folder, "out/a.txt"))),
      made: { class: "Directory", location: pathToUri(join(folder, "out/made")) },
    });
    await rm(join(root, "runs", "old"), { recursive: true });
    const kept = ["out/a.txt", "out/made/deep/b.txt", "stderr"].map((path) => text(join(folder, path)));
    assert.deepEqual(await Promise.all(kept), ["a", "b", "told"]);
  });

  it("keeps outputs of other jobs of the run, and never touches foreign files", async (t) => {
    const { root, folder, take } = await setUp(t, (uri) => ({
      passed: file(uri("runs/old/jobs/before@1/out/passed.txt")),
      given: file(uri("data/given.txt")),
      literal: { class: "File", basename: "x", contents: "x" },
    }));
    const outputs = await take();
    const passed = join(folder, "passed", "0", "passed.txt");
    assert.deepEqual(outputs, {
      passed: file(pathToUri(passed)),
      given: file(pathToUri(join(root, "data/given.txt"))),
      literal: { class: "File", basename: "x", contents: "x" },
    });
    assert.equal(await text(passed), "passed on");
  });

  it("restarts the work of a server that ended halfway", async (t) => {
    const { folder, take } = await setUp(t, (uri) => ({ a: file(uri(`${MADE}/a.txt`)) }));
    writeFiles(folder, { "out/half.txt": "half", "out/a.txt": "hal" });
    await take();
    assert.deepEqual([existsSync(join(folder, "out/half.txt")), await text(join(folder, "out/a.txt"))], [false, "a"]);
  });

  it("recognizes its own files if the folder of runs is reached through a link", async (t) => {
    const { root, folder, take } = await setUp(t, (uri) => ({ a: file(uri("real/old/jobs/make@2/out/a.txt")) }));
    await rename(join(root, "runs"), join(root, "real"));
    await symlink(join(root, "real"), join(root, "runs"));
    assert.deepEqual(await take(), { a: file(pathToUri(join(folder, "out/a.txt"))) });
  });

  it("succeeds without a missing log, but not without a missing output", async (t) => {
    const { root, folder, take } = await setUp(t, (uri) => ({ a: file(uri(`${MADE}/a.txt`)) }));
    await rm(join(root, "runs/old/jobs/make@2/stderr"));
    await take();
    assert.equal(existsSync(join(folder, "stderr")), false);
    await rm(join(root, `${MADE}/a.txt`));
    await assert.rejects(take(), { code: "ENOENT" });
  });
});
