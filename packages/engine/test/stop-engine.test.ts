import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openEngine } from "../src/app/open-engine.ts";

describe("an engine that has stopped", () => {
  for (const first of ["drain", "detach", "cancel"] as const)
    for (const second of ["drain", "detach", "cancel"] as const)
      it(`is stopped again without a word: ${first}, then ${second}`, async (t) => {
        const root = await mkdtemp(join(tmpdir(), "weft-stop-"));
        t.after(() => rm(root, { recursive: true }));
        await mkdir(join(root, "catalog"));
        const engine = await openEngine({
          version: "test",
          stateFolder: join(root, "state"),
          catalogFolder: join(root, "catalog"),
          dataFolders: {},
          jobs: 1,
          maxUploadBytes: 1000,
          log: () => {},
        });
        await engine.stop(first);
        await assert.doesNotReject(engine.stop(second));
      });
});
