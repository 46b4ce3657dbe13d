import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { checksumLine, zipArchive } from "./zip-archive.ts";

test("other programs accept the archive", { skip: lacks("unzip") }, async () => {
  const folder = temporaryFolder();
  const entries = [{ kind: "text", name: "ä b/x'y.txt", text: "é\n" }] as const;
  await writeFile(join(folder, "zip"), await buffer(zipArchive(entries, new Date("2026-11-21T12:00:00Z"))));
  execFileSync("unzip", ["-q", "zip", "-d", "other"], { cwd: folder });
  assert.equal(await readFile(join(folder, "other", "ä b/x'y.txt"), "utf8"), "é\n");
});

test("checksum lines are those that sha1sum reads", () => {
  const names = ["plain", "a b", "back\\slash", "new\nline"];
  const sum = "sha1$6fcf9dfbd479ed82697fee719b9f8c610a11ff2a";
  const folder = temporaryFolder({
    ...Object.fromEntries(names.map((name) => [name, "x\n"])),
    SHA1SUMS: names.map((name) => checksumLine(sum, name)).join(""),
  });
  execFileSync("sha1sum", ["--check", "--quiet", "--strict", "SHA1SUMS"], { cwd: folder });
});
