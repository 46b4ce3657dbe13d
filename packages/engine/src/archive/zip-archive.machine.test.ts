import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { lacks } from "@weft/tooling/lacks.ts";
import { checksumLine, zipArchive } from "./zip-archive.ts";

const root = await mkdtemp(join(tmpdir(), "weft-zip-"));
after(() => rm(root, { recursive: true }));
const NOW = new Date("2026-11-21T12:00:00Z");

test("other programs accept the archive", { skip: lacks("unzip") }, async () => {
  const zip = join(root, "other.zip");
  await writeFile(zip, await buffer(zipArchive([{ kind: "text", name: "ä b/x'y.txt", text: "é\n" }], NOW)));
  execFileSync("unzip", ["-q", zip, "-d", join(root, "other")]);
  assert.equal(await readFile(join(root, "other", "ä b/x'y.txt"), "utf8"), "é\n");
});

test("checksum lines are those that sha1sum reads", async () => {
  const names = ["plain", "a b", "back\\slash", "new\nline"];
  const folder = join(root, "sums");
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, name), "x\n");
  const sum = "sha1$6fcf9dfbd479ed82697fee719b9f8c610a11ff2a";
  await writeFile(join(folder, "SHA1SUMS"), names.map((name) => checksumLine(sum, name)).join(""));
  execFileSync("sha1sum", ["--check", "--quiet", "--strict", "SHA1SUMS"], { cwd: folder });
});
