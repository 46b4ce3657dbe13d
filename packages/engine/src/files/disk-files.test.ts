import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { NotUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { Reach } from "./beneath/reach.ts";
import { createDiskFiles } from "./disk-files.ts";
import { diskReader } from "./disk-reader.ts";

const root = temporaryFolder();

const files = createDiskFiles({ reach: new Reach({ regions: [{ folder: root }] }), sync: false, near: root });

/** One byte each; no NUL and no slash. */
const NAMES = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)).filter(
  (name) => !"\0/.".includes(name),
);

test("entries with names of one character are listed and read correctly", async () => {
  const folder = join(root, "names ");
  mkdirSync(folder);
  const names = NAMES.flatMap((name) => [`${name}x`, `x${name}`]);
  for (const name of new Set(names)) writeFileSync(join(folder, name), name);
  const entries = await files.list(pathToUri(folder));
  assert.deepEqual(new Set(entries.map(({ name }) => name)), new Set(names));
  for (const { name, uri } of entries) {
    assert.equal(await files.readText(uri, 10), name);
    assert.equal(await files.realUri(uri), uri);
  }
});

test("a name that is not UTF-8 never becomes another file", async () => {
  const folder = join(root, "bytes");
  mkdirSync(folder);
  writeFileSync(join(folder, "caf\uFFFD"), "other");
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.of(0xe9)]), "meant");
  const entries = await files.list(pathToUri(folder));
  assert.deepEqual(entries.map(({ kind }) => kind).toSorted(), ["file", "other"]);
  const foreign = entries.find(({ kind }) => kind === "other");
  assert.ok(foreign !== undefined);
  await assert.rejects(async () => files.stat(foreign.uri), CwlFailure);
  await assert.rejects(async () => files.realUri(foreign.uri), CwlFailure);
  await assert.rejects(async () => files.checksum(foreign.uri), CwlFailure);
  await assert.rejects(async () => files.readText(foreign.uri, 10), CwlFailure);
});

test("a text that is not UTF-8 is refused, even if only its last character is truncated", async () => {
  const path = join(root, "latin1");
  writeFileSync(path, Buffer.from("caf\xe9", "latin1"));
  await assert.rejects(files.readText(pathToUri(path), 100), NotUtf8);
  await assert.rejects(async () => diskReader.read(pathToUri(path)), NotUtf8);
  writeFileSync(path, "aé");
  assert.equal(await files.readText(pathToUri(path), 2), "a");
});
