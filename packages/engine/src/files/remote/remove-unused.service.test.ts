import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { after, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DownloadStore } from "./download-store.ts";
import { startWebServer, text } from "./testing/web-server.ts";

const root = temporaryFolder();
const web = await startWebServer({ "/a.txt": text("a".repeat(5000)), "/b.txt": text("b".repeat(5000)) });
after(() => web.close());

const LONG_AGO = new Date("2001-01-01T00:00:00Z");
const BOUND_MS = Date.parse("2010-01-01T00:00:00Z");
let count = 0;

/** A store with two contents that were used long ago. */
async function filled() {
  const folder = join(root, `${++count}`);
  const store = new DownloadStore(folder);
  const request = { signal: new AbortController().signal, onBytes: () => {} };
  const fetch = async (name: string) => {
    const fetched = await store.fetch(`${web.address}/${name}`, request);
    assert.ok(fetched);
    return fetched;
  };
  const [a, b] = [await fetch("a.txt"), await fetch("b.txt")];
  for (const { path } of [a, b]) await utimes(path, LONG_AGO, new Date("2000-01-01T00:00:00Z"));
  return { store, folder, a, b, fetch };
}

it("contents that no run has used recently are removed, with the records of their addresses", async () => {
  const { store, folder, a, b, fetch } = await filled();
  // A lookup counts as use.
  assert.ok(await store.find(a));
  const wanted = { beforeMs: BOUND_MS, pinned: new Set<string>() };
  const planned = await store.prune({ ...wanted, isDryRun: true });
  assert.ok(planned.files === 1 && planned.bytes >= 5000 && existsSync(b.path));
  const removed = await store.prune({ ...wanted, isDryRun: false });
  assert.deepEqual(removed, planned);
  assert.deepEqual([existsSync(a.path), existsSync(b.path)], [true, false]);
  assert.equal((await readdir(join(folder, "urls"))).length, 1);
  assert.equal(await store.find(b), undefined);
  assert.equal((await fetch("b.txt")).sha256, b.sha256, "it is brought again");
});

it("contents that an open run uses are kept, regardless of age", async () => {
  const { store, a, b } = await filled();
  const removed = await store.prune({ beforeMs: BOUND_MS, pinned: new Set([a.sha256, b.sha256]), isDryRun: false });
  assert.deepEqual(removed, { files: 0, bytes: 0, failures: [] });
});

it("a store that was never used has nothing to remove", async () => {
  const store = new DownloadStore(join(root, "never"));
  const removed = await store.prune({ beforeMs: BOUND_MS, pinned: new Set(), isDryRun: false });
  assert.equal(removed.files, 0);
});
