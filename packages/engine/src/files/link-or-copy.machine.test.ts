import assert from "node:assert/strict";
import { link, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { linkedFolders } from "./testing/linked-folders.ts";
import { whileSwapping } from "./testing/while-swapping.ts";

const root = temporaryFolder();

describe("a process that continues after its job", { skip: lacks("python3") }, () => {
  for (const [what, ownFolder] of [
    ["linked", root],
    ["copied", undefined],
  ] as const)
    it(`cannot get another file ${what} by swapping folders or files`, async () => {
      const { own, target, outside, place } = linkedFolders(root);
      writeFiles(own, { "a/file": "harmless", c: "harmless" });
      await symlink(outside, join(own, "b"));
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
        });
      assert.equal(seen.get("token") ?? 0, 0, JSON.stringify([...seen]));
      assert.ok((seen.get("harmless") ?? 0) > 10 && (seen.get("OutOfReach") ?? 0) > 10, JSON.stringify([...seen]));
    });
});
