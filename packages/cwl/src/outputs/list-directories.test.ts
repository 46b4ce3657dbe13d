import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryFiles } from "../files/testing/memory-files.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { listDirectories } from "./list-directories.ts";
import { sha1 } from "./testing/collect-from-memory.ts";

test("every Directory tells all that it holds", async () => {
  const files = createMemoryFiles({ "/o/d/a": "A", "/o/d/e/f.txt": "F", "/o/empty": null });
  const folder = (name: string, basename: string) =>
    ({ class: "Directory", location: `file:///o/${name}`, basename }) as const;
  const listed = await listDirectories(
    { r: { dirs: [folder("d", "d"), folder("empty", "renamed")] }, n: 1 },
    { files, limits: TEST_LIMITS },
  );
  const inner = {
    class: "File",
    location: "file:///o/d/e/f.txt",
    basename: "f.txt",
    nameroot: "f",
    nameext: ".txt",
    size: 1,
    checksum: sha1("F"),
  };
  const first = {
    class: "File",
    location: "file:///o/d/a",
    basename: "a",
    nameroot: "a",
    nameext: "",
    size: 1,
    checksum: sha1("A"),
  };
  assert.deepEqual(listed, {
    r: {
      dirs: [
        { ...folder("d", "d"), listing: [first, { ...folder("d/e", "e"), listing: [inner] }] },
        { ...folder("empty", "renamed"), listing: [] },
      ],
    },
    n: 1,
  });
});
