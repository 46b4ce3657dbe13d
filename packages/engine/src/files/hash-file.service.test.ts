import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { hashFile } from "./hash-file.ts";

const root = temporaryFolder();

describe("hashFile", () => {
  for (const size of [0, 1, 256 * 1024, 256 * 1024 + 1, 5_000_000]) {
    it(`hashes ${size} bytes`, async () => {
      const content = Buffer.alloc(size, "weft");
      const path = join(root, `f${size}`);
      await writeFile(path, content);
      assert.deepEqual(await hashFile(path, { sync: size % 2 === 0 }), {
        sha1: `sha1$${createHash("sha1").update(content).digest("hex")}`,
        sha256: createHash("sha256").update(content).digest("hex"),
        sizeBytes: size,
      });
    });
  }

  it("hashes many large files at once", async () => {
    const path = join(root, "f5000000");
    const digests = await Promise.all(Array.from({ length: 20 }, () => hashFile(path)));
    assert.equal(new Set(digests.map(({ sha1 }) => sha1)).size, 1);
  });

  const cannotCount = !existsSync("/proc/self/io") && "only Linux counts what a process reads";
  const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

  it("reads a file that has not changed only once", { skip: cannotCount }, async () => {
    const { size } = statSync(process.execPath);
    const first = await hashFile(process.execPath);
    const before = bytesRead();
    assert.deepEqual(await hashFile(process.execPath), first);
    assert.ok(bytesRead() - before < size / 2);
  });

  it("reads a file again that was changed, however quickly", async () => {
    const path = join(root, "rewritten");
    const sums: string[] = [];
    for (const content of ["one", "two", "six"]) {
      await writeFile(path, content);
      sums.push((await hashFile(path)).sha256);
    }
    assert.equal(new Set(sums).size, 3);
  });

  it("rejects for a missing file", () => assert.rejects(hashFile(join(root, "none")), { code: "ENOENT" }));
});
