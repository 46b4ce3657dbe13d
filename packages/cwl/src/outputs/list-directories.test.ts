import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileAccess } from "../files/file-access.ts";
import { createMemoryFiles, described } from "../files/testing/memory-files.ts";
import { checkedObject } from "../values/checked-value.ts";
import { safeName } from "../model/safe-name.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { directoryLister } from "./list-directories.ts";
import { sha1 } from "./testing/collect-from-memory.ts";

const listDirectories = async (outputs: CwlObject, services: Parameters<typeof directoryLister>[0]) =>
  (await directoryLister(services)(outputs)) as CwlObject; // objects remain objects

test("every Directory lists its whole content", async () => {
  const files = createMemoryFiles({ "/o/d/a": "A", "/o/d/e/f.txt": "F", "/o/empty": null });
  const folder = (name: string, basename: string) =>
    ({ class: "Directory", location: `file:///o/${name}`, basename }) as const;
  const listed = await listDirectories(
    { r: { dirs: [folder("d", "d"), folder("empty", "renamed")] }, n: 1 },
    { files, limits: TEST_LIMITS },
  );
  const inner = described("file:///o/d/e/f.txt", 1, { checksum: sha1("F") });
  const first = described("file:///o/d/a", 1, { checksum: sha1("A") });
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

/** A file system in which every path is a folder of `count` files; it stores only their names. */
function foldersOf(count: number): FileAccess {
  const stat = { kind: "file", size: 0 } as const;
  const entries = Array.from({ length: count }, (_, index) => `f${index}`);
  return {
    stat: async () => ({ kind: "directory", size: 0 }),
    list: async (uri) => entries.map((name) => ({ ...stat, name, uri: `${uri}/${name}` })),
    readText: async () => "",
    checksum: async () => "sha1$0",
    realUri: async (uri) => uri,
  };
}

const directories = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    class: "Directory" as const,
    location: `file:///o/d${index}`,
    basename: safeName(`d${index}`),
  }));

/** A hundredth of the usual limits, which fewer files reach. */
const LIMITS = { ...TEST_LIMITS, listingEntries: 1_000, valueItems: 20_000 };

test("a study with almost as many files in one Directory as the limit allows is listed, and its output object can be read again", async () => {
  const listed = await listDirectories({ all: directories(1) }, { files: foldersOf(900), limits: LIMITS });
  const text = JSON.stringify(listed);
  assert.equal(text.split('"File"').length - 1, 900);
  const origin = { limits: LIMITS, code: "OUTPUT_INVALID" } as const;
  assert.equal(JSON.stringify(checkedObject(JSON.parse(text), origin)), text);
});

for (const [what, folders, entries, limit] of [
  ["one Directory holds", 1, 1_001, "1,000 (listing-entries)"],
  ["all Directories hold", 4, 900, "20,000 (value-items)"],
] as const) {
  test(`the failure names the limit when ${what} too many files`, async () => {
    const context = { files: foldersOf(entries), limits: LIMITS };
    await assert.rejects(listDirectories({ all: directories(folders) }, context), {
      ...{
        name: "CwlFailure",
        code: "LIMIT_EXCEEDED",
        message: new RegExp(`exceeds the limit of ${RegExp.escape(limit)}$`),
      },
      hint: /^raise the limit with --limit (listing-entries|value-items)=N/,
    });
  });
}
