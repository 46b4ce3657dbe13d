import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { serveTasks } from "../async/thread-pool.ts";
import type { ContentDigest } from "./content-digest.ts";

const BLOCK_BYTES = 1 << 20;

serveTasks(() => ({ digestFile }));

function digestFile(path: string): ContentDigest {
  const sha1 = createHash("sha1");
  const sha256 = createHash("sha256");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const file = openSync(path, "r");
  let sizeBytes = 0;
  try {
    for (let count = readSync(file, block); count > 0; count = readSync(file, block)) {
      const part = block.subarray(0, count);
      sha1.update(part);
      sha256.update(part);
      sizeBytes += count;
    }
  } finally {
    closeSync(file);
  }
  return { sha1: `sha1$${sha1.digest("hex")}`, sha256: sha256.digest("hex"), sizeBytes };
}
