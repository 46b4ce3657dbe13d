import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { newSink } from "./testing/new-sink.ts";

const root = temporaryFolder();

/** Swaps two names of a folder as fast as it can. */
const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
libc = ctypes.CDLL(None)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000): libc.renameat2(-100, b"a", -100, b"b", 2)
`;

test(
  "an account that can write to the folder cannot redirect a copy by swapping entries",
  { skip: lacks("python3") },
  async () => {
    const { folder, placement, place } = await newSink(root, "swapped");
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
