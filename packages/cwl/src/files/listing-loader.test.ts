import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlLimits } from "../limits.ts";
import type { LoadListing } from "../model/binding.ts";
import type { DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";
import { safeName } from "../model/safe-name.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { ListingLoader } from "./listing-loader.ts";
import { createMemoryFiles, type MemoryTree } from "./testing/memory-files.ts";

/** The names; those of a folder's listing are in parentheses. */
const shown = (members: readonly FileOrDirectory[] | undefined): string | undefined =>
  members?.map((member) => (member.class === "File" ? member.basename : folderText(member))).join(" ");
const folderText = ({ basename, listing }: DirectoryValue): string =>
  `${basename}/${listing === undefined ? "" : `(${shown(listing)})`}`;

const loader = (tree: MemoryTree, limits: Partial<CwlLimits> = {}) =>
  new ListingLoader({ files: createMemoryFiles(tree), limits: { ...TEST_LIMITS, ...limits } });

const DIRECTORY = { class: "Directory", location: "file:///d", basename: safeName("d") } as const;

const CASES: Readonly<Record<string, readonly [LoadListing, MemoryTree, string | undefined]>> = {
  none: ["no_listing", { "/d/a": "" }, undefined],
  "one level": ["shallow_listing", { "/d/a": "", "/d/s/b": "" }, "a s/"],
  "all levels": ["deep_listing", { "/d/a": "", "/d/s/t/b": "" }, "a s/(t/(b))"],
  "a folder that a link leads to again": ["deep_listing", { "/d/s/b": "", "/d/t": { link: "s" } }, "s/(b) t/"],
  "folders that contain themselves": [
    "deep_listing",
    { "/d/a": "", "/d/one": { link: "/d" }, "/d/s/two": { link: "/d" }, "/d/s/three": { link: "/d/s" } },
    "a one/ s/(three/ two/)",
  ],
};
for (const [name, [extent, tree, expected]] of Object.entries(CASES))
  test(`lists a folder: ${name}`, async () => {
    const { listing } = await loader(tree).load(DIRECTORY, extent);
    assert.equal(shown(listing), expected);
  });

const countOf = (members: readonly FileOrDirectory[] | undefined): number =>
  (members ?? []).reduce((sum, member) => sum + 1 + (member.class === "Directory" ? countOf(member.listing) : 0), 0);

test("directories that link to each other are listed once each", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
  const links = names.flatMap((from) => names.map((to) => [`/d/${from}/${to}`, { link: `/d/${to}` }] as const));
  const { listing } = await loader(Object.fromEntries(links)).load(DIRECTORY, "deep_listing");
  assert.equal(countOf(listing), 8 + 8 * 8);
});

test("a listing beyond the limit fails, and so do all listings of an object together", async () => {
  const tree = { "/d/a": "", "/d/s/b": "", "/d/s/c": "" };
  const four = loader(tree, { listingEntries: 4 });
  await four.load(DIRECTORY, "deep_listing");
  await four.load(DIRECTORY, "deep_listing");
  const two = loader(tree, { valueItems: 7 * 7 });
  await two.load(DIRECTORY, "deep_listing");
  await assert.rejects(two.load(DIRECTORY, "deep_listing"), {
    code: "LIMIT_EXCEEDED",
    message: "the number of values in the listings of one object exceeds the limit of 49 (value-items)",
  });
  await assert.rejects(loader(tree, { listingEntries: 3 }).load(DIRECTORY, "deep_listing"), {
    code: "LIMIT_EXCEEDED",
    message: "the number of entries in the listing of `file:///d/s` exceeds the limit of 3 (listing-entries)",
  });
});

test("a listing fails if directories nest too deep", async () => {
  const tree = { [`/d${"/s".repeat(300)}/a`]: "" };
  await assert.rejects(loader(tree).load(DIRECTORY, "deep_listing"), {
    code: "LIMIT_EXCEEDED",
    message: "the nesting of directories in a listing exceeds the limit of 256 (value-depth)",
  });
  await loader({ [`/d${"/s".repeat(254)}/a`]: "" }).load(DIRECTORY, "deep_listing");
});
