import { constants } from "node:fs";
import { copyFile, mkdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { safePath } from "../../archive/unpack/safe-path.ts";
import { listBelow } from "../../files/list-below.ts";
import type { UnpackLimits } from "../../archive/unpack/unpack-zip.ts";

/**
 * Copies an unpacked crate, so that exactly what is checked is imported. Refuses `invalid-crate` for links and devices,
 * and `body-too-large`.
 */
export async function copyCrateFolder(from: string, to: string, limits: UnpackLimits): Promise<void> {
  const entries = await listBelow(from);
  if (entries.length > limits.entries)
    throw new Refusal(
      "body-too-large",
      `The crate has ${entries.length} files; at most ${limits.entries} are allowed.`,
    );
  let left = limits.bytes;
  for (const entry of entries) {
    const source = join(entry.parentPath, entry.name);
    const path = safePath(relative(from, source));
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { recursive: true });
      continue;
    }
    if (!entry.isFile())
      throw new Refusal("invalid-crate", `"${path}" in the crate is a link or a device, not a file.`);
    left -= (await stat(source)).size;
    if (left < 0) throw new Refusal("body-too-large", `A crate may have at most ${limits.bytes} bytes.`);
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(source, join(to, path), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}
