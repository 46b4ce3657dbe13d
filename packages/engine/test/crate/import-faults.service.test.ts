import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { openMemoryJournal } from "../../src/journal/memory-journal.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { refusalOf, type StorageProblem } from "../../src/journal/storage/storage-problem.ts";
import { clearImports } from "../../src/provenance/import/clear-imports.ts";
import { importCrate } from "../../src/provenance/import/import-crate.ts";
import { RunIds } from "../../src/runs/begin/run-ids.ts";
import { CrateRuns, nested } from "./crate-runs.ts";

const there = await CrateRuns.open();

/** Folders to import into, with a log that can be written until its storage fails. */
async function setUp(t: TestContext) {
  const root = temporaryFolder();
  const log = openMemoryJournal(Date.now);
  t.after(() => log.close());
  const disk: { storageProblem: StorageProblem | undefined } = { storageProblem: undefined };
  const journal: Journal = {
    ...log,
    append: (events) =>
      disk.storageProblem === undefined ? log.append(events) : Promise.reject(refusalOf(disk.storageProblem)),
    get storageProblem() {
      return disk.storageProblem;
    },
  };
  await mkdir(join(root, "runs"));
  const places = { importsFolder: join(root, "imports"), runsFolder: join(root, "runs") };
  const services = {
    journal,
    ids: new RunIds(undefined),
    ...places,
    maxBytes: CrateRuns.maxBytes,
    limits: DEFAULT_LIMITS,
  };
  const list = async (folder: string) => (await readdir(folder).catch(() => [])).length;
  return {
    disk,
    importIt: (folder: string) => importCrate("bob", { kind: "folder", path: folder }, services),
    clear: () => clearImports({ ...places, read: log.read }),
    /** Folders of imports, and of runs. */
    left: async () => [await list(places.importsFolder), await list(places.runsFolder)],
  };
}

describe("an import that the log cannot record", () => {
  for (const storageProblem of ["full", "locked", "read-only"] as const)
    it(`leaves nothing behind, and can be repeated: ${storageProblem}`, async (t) => {
      const { disk, importIt, left } = await setUp(t);
      const { folder } = await there.crateOf(await there.run(nested));
      disk.storageProblem = storageProblem;
      await assert.rejects(importIt(folder), { code: refusalOf(storageProblem).code });
      assert.deepEqual(await left(), [0, 0]);
      disk.storageProblem = undefined;
      await importIt(folder);
      assert.deepEqual(await left(), [0, 1]);
    });

  it("stays unchanged after a disk failure, until the next start reads the log", async (t) => {
    const { disk, importIt, left, clear } = await setUp(t);
    const { folder } = await there.crateOf(await there.run(nested));
    disk.storageProblem = "failed";
    await assert.rejects(importIt(folder), { code: "storage-failed" });
    assert.deepEqual(await left(), [1, 1]);
    await clear();
    assert.deepEqual(await left(), [0, 0]);
  });
});
