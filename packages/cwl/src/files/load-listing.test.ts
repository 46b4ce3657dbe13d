import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadListing } from "../model/binding.ts";
import type { FileOrDirectory } from "../model/cwl-value.ts";
import { safeName } from "../model/safe-name.ts";
import { loadListing } from "./load-listing.ts";
import { createMemoryFiles, type MemoryTree } from "./testing/memory-files.ts";

/** Names; those of folders with what is listed in them. */
const shown = (members: readonly FileOrDirectory[] | undefined): unknown =>
  members?.map((member) => (member.class === "File" ? member.basename : [member.basename, shown(member.listing)]));

const CASES: readonly (readonly [string, LoadListing, MemoryTree, unknown])[] = [
  ["none", "no_listing", { "/d/a": "" }, undefined],
  ["one level", "shallow_listing", { "/d/a": "", "/d/s/b": "" }, ["a", ["s", undefined]]],
  ["all levels", "deep_listing", { "/d/a": "", "/d/s/t/b": "" }, ["a", ["s", [["t", ["b"]]]]]],
  [
    "a folder that a link shows a second time",
    "deep_listing",
    { "/d/s/b": "", "/d/t": { link: "s" } },
    [
      ["s", ["b"]],
      ["t", ["b"]],
    ],
  ],
  [
    "folders that hold themselves",
    "deep_listing",
    { "/d/a": "", "/d/one": { link: "/d" }, "/d/s/two": { link: "/d" }, "/d/s/three": { link: "/d/s" } },
    [
      "a",
      ["one", undefined],
      [
        "s",
        [
          ["three", undefined],
          ["two", undefined],
        ],
      ],
    ],
  ],
];
for (const [name, extent, tree, expected] of CASES) {
  test(`loadListing: ${name}`, async () => {
    const directory = { class: "Directory", location: "file:///d", basename: safeName("d") } as const;
    const { listing } = await loadListing(directory, extent, createMemoryFiles(tree));
    assert.deepEqual(shown(listing), expected);
  });
}
