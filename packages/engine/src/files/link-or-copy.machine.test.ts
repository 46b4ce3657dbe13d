import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { lacks } from "@weft/tooling/lacks.ts";
import { linkedFolders } from "./testing/linked-folders.ts";

const root = await realpath(await mkdtemp(join(tmpdir(), "weft-bring-")));
after(() => rm(root, { recursive: true }));

const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
libc = ctypes.CDLL(None)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000): libc.renameat2(-100, sys.argv[2].encode(), -100, sys.argv[3].encode(), 2)
`;

describe("a process that continues after its job", { skip: lacks("python3") }, () => {
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
    it(`cannot get another file ${what} by swapping folders or files`, async () => {
      const { own, target, outside, place } = await linkedFolders(root);
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
