import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, readFile, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { unpackZip } from "./testing/unpack-zip.ts";
import { openTrustedFile } from "../files/beneath/open-file.ts";
import { runLater } from "../files/beneath/steps.ts";
import { zipArchive, type ArchiveEntry } from "./zip-archive.ts";
import { until } from "../testing/until.ts";

const root = temporaryFolder();
const NOW = new Date("2026-11-21T12:00:00Z");

async function unpacked(name: string, entries: Iterable<ArchiveEntry>): Promise<string> {
  await unpackZip(await buffer(zipArchive(entries, NOW)), join(root, name));
  return join(root, name);
}

const openFiles = async () => (await readdir("/proc/self/fd")).length;

const fileEntry = (name: string, path: string) =>
  ({ kind: "file", name, open: () => runLater(openTrustedFile(path)) }) as const;

test("texts, bytes, files and empty folders are unpacked unchanged, with their modes", async () => {
  const path = join(root, "tool.sh");
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, 0o750);
  await utimes(path, 0, 0);
  const folder = await unpacked("kinds", [
    { kind: "text", name: "ä b/it's.txt", text: "é\n" },
    { kind: "text", name: "run.sh", text: "", isExecutable: true },
    { kind: "bytes", name: "bytes", bytes: Buffer.from([0, 255, 10]) },
    fileEntry("ä b/tool", path),
    { ...fileEntry("tail", path), startAt: 7 },
    { ...fileEntry("nothing", path), startAt: 1000 },
    { kind: "folder", name: "empty" },
  ]);
  const texts = { "ä b/it's.txt": "é\n", "ä b/tool": "#!/bin/sh\n", tail: "sh\n", nothing: "" };
  for (const [name, text] of Object.entries(texts)) assert.equal(await readFile(join(folder, name), "utf8"), text);
  assert.deepEqual([...(await readFile(join(folder, "bytes")))], [0, 255, 10]);
  assert.deepEqual(await readdir(join(folder, "empty")), []);
  const modes = { "run.sh": 0o755, "ä b/tool": 0o750, bytes: 0o644 };
  for (const [name, mode] of Object.entries(modes)) assert.equal((await stat(join(folder, name))).mode & 0o777, mode);
});

test("entries are read one by one, and open files are closed when the reader leaves", async () => {
  const path = join(root, "large");
  await writeFile(path, Buffer.alloc(8 * 1024 * 1024));
  let asked = 0;
  const entries = function* () {
    for (let number = 0; number < 100; number++) {
      asked += 1;
      yield fileEntry(String(number), path);
    }
  };
  const before = await openFiles();
  const stream = zipArchive(entries(), NOW);
  await once(stream, "readable");
  assert.ok(asked <= 2, `${asked} entries were asked for`);
  stream.destroy();
  await once(stream, "close");
  await until(async () => (await openFiles()) <= before);
});

test("an archive with an unreadable file ends with an error", async () => {
  await mkdir(join(root, "folder"), { recursive: true });
  for (const path of [join(root, "missing"), join(root, "folder")])
    await assert.rejects(unpacked("broken", [fileEntry("a", path)]), /ENOENT|is not a regular file/);
});
