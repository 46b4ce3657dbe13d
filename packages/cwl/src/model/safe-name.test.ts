import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StagingEntry } from "./job-plan.ts";
import { jobPath } from "../testing/job-path.ts";
import type { DirectoryValue, FileValue } from "./cwl-value.ts";
import {
  joinJobPath,
  numberedName,
  safeName,
  splitJobPath,
  toJobPath,
  toRelativePath,
  toSafeName,
} from "./safe-name.ts";

const UNSAFE = ["", ".", "..", "/", "a/b", "../a", "a/", "a\0", "\ud800", "a\udc00b"];
const SAFE = ["a", "...", ".hidden", "..a", "a b", "a:b", "a\\b", "a\nb", "%2f", "~", "-", "😀", "é"];

describe("a safe name", () => {
  for (const text of UNSAFE)
    test(`${JSON.stringify(text)} is not one`, () => {
      assert.equal(toSafeName(text), undefined);
      assert.throws(() => safeName(text), /is not a safe name/);
    });
  for (const text of SAFE) test(`${JSON.stringify(text)} is one`, () => assert.equal(toSafeName(text), text));
});

test("a relative path never leaves its directory", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["a", "a"],
    ["a/b", "a/b"],
    ["./a//b/", "a/b"],
    ["a/../b", "b"],
    ["..", undefined],
    ["a/../..", undefined],
    ["a/../../a", undefined],
    ["/a", undefined],
    ["a/..", undefined],
    ["", undefined],
    ["a/\0", undefined],
  ];
  const found = cases.map(([text]) => toRelativePath(text));
  assert.deepEqual(
    found,
    cases.map(([, expected]) => expected),
  );
});

test("a job path is absolute and normalized", () => {
  assert.equal(toJobPath("/out/./a/../b"), "/out/b");
  for (const text of ["out", "", "/", "/..", "/../a", "/a\0"]) assert.equal(toJobPath(text), undefined, text);
  const path = joinJobPath("/out", safeName("a.txt"));
  assert.deepEqual(splitJobPath(path), { folder: "/out", name: "a.txt" });
  assert.deepEqual(splitJobPath(jobPath("/a")), { folder: "", name: "a" });
});

test("a numbered name stays as short as a file system requires", () => {
  assert.equal(numberedName(safeName("a.html"), 2, ".html"), "a_2.html");
  assert.equal(numberedName(safeName(`${"é".repeat(120)}.html`), 12, ".html"), `${"é".repeat(120)}_12.html`);
  const long = numberedName(safeName(`${"é".repeat(125)}.html`), 12, ".html");
  assert.equal(Buffer.byteLength(long), 254);
  assert.match(long, /é_12\.html$/);
});

test("the compiler rejects an unchecked string", () => {
  const text: string = ["..", "mallory.json"].join("/");
  // @ts-expect-error: a string is not a valid name
  const file: FileValue = { class: "File", basename: text, contents: "" };
  // @ts-expect-error: the same for a literal
  const directory: DirectoryValue = { class: "Directory", basename: "a", listing: [] };
  // @ts-expect-error: a string is not a target
  const entry: StagingEntry = { kind: "text", target: text, text: "" };
  // @ts-expect-error: nor can it be joined to a directory
  const path = joinJobPath("/out", text);
  assert.deepEqual([file.class, directory.class, entry.kind, typeof path], ["File", "Directory", "text", "string"]);
});
