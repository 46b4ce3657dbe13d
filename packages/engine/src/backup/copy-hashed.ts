import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const CHUNK_BYTES = 1024 * 1024;

/**
 * Copies a file to a new path and returns the size and digest of the copy, which is durable when the promise resolves.
 * `mode`: permissions of the copy.
 */
export async function copyHashed(
  from: string,
  to: string,
  mode: number,
): Promise<{ readonly size: number; readonly sha256: string }> {
  await using source = await open(from, "r");
  await using target = await open(to, "wx", mode);
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await target.writeFile(chunk);
    size += bytesRead;
  }
  await target.sync();
  return { size, sha256: hash.digest("hex") };
}
