import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Swaps two names of a folder as fast as it can: at every moment each of them is there. */
const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
a, b = map(os.fsencode, sys.argv[2:])
libc = ctypes.CDLL(None, use_errno=True)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000):
        if libc.renameat2(-100, a, -100, b, 2) != 0: sys.exit(ctypes.get_errno())
`;

/** Works while another process swaps two entries of a folder. Needs python3. */
export async function whileSwapping(
  folder: string,
  names: readonly [string, string],
  work: () => Promise<void>,
): Promise<void> {
  const swapper = spawn("python3", ["-c", SWAPPER, folder, ...names], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(swapper, "exit");
  await once(swapper.stdout, "data");
  let code: unknown;
  try {
    await work();
  } finally {
    await writeFile(join(folder, "stop"), "");
    [code] = await exited;
    await rm(join(folder, "stop"));
  }
  assert.equal(code, 0, "the swaps failed");
}
