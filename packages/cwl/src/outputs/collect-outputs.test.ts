import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { described, type MemoryTree } from "../files/testing/memory-files.ts";
import { ABC, collect, made, out, sha1 } from "./testing/collect-from-memory.ts";

const SUB = { class: "Directory", location: "file:///run/out/sub", basename: "sub" };
const IN = described("file:///data/in.txt", 2, { checksum: sha1("in") });

describe("collectOutputs", () => {
  const cases: Readonly<Record<string, readonly [output: string, tree: MemoryTree, expected: unknown]>> = {
    "one file": ["{type: File, outputBinding: {glob: a.txt}}", ABC, made("a.txt", "A")],
    "a sorted list": [
      "{type: 'File[]', outputBinding: {glob: '*.txt'}}",
      ABC,
      [made("a.txt", "A"), made("b.txt", "BB")],
    ],
    "several patterns, without duplicates": [
      "{type: 'File[]', outputBinding: {glob: ['c.*', '*', 'sub/../c.log']}}",
      out({ "a.txt": "A", "c.log": "C" }),
      [made("c.log", "C"), made("a.txt", "A")],
    ],
    "a pattern by an expression": [
      "{type: File, outputBinding: {glob: '${return [inputs.name + \".txt\"]}'}}",
      ABC,
      made("b.txt", "BB"),
    ],
    "an absolute pattern inside the output folder": [
      "{type: File, outputBinding: {glob: $(runtime.outdir)/sub/*}}",
      ABC,
      made("sub/d.txt", "D"),
    ],
    "nothing for an optional file": ["{type: File?, outputBinding: {glob: no}}", ABC, null],
    "nothing for an optional list": ["{type: 'File[]?', outputBinding: {glob: no}}", ABC, null],
    "one file for a file or a list": ["{type: [File, 'File[]'], outputBinding: {glob: a*}}", ABC, made("a.txt", "A")],
    "files and folders": [
      "{type: {type: array, items: [File, Directory]}, outputBinding: {glob: '[cs]*'}}",
      ABC,
      [made("c.log", "C"), SUB],
    ],
    "a folder with its listing": [
      "{type: Directory, outputBinding: {glob: sub, loadListing: deep_listing}}",
      ABC,
      { ...SUB, listing: [described("file:///run/out/sub/d.txt", 1)] },
    ],
    "the whole output folder": [
      "{type: Directory, outputBinding: {glob: .}}",
      ABC,
      { class: "Directory", location: "file:///run/out", basename: "out" },
    ],
    "an empty pattern": ["{type: File?, outputBinding: {glob: ''}}", ABC, null],
    "a record with an empty binding of its own": [
      "{type: {type: record, fields: {a: {type: File, outputBinding: {glob: a.txt}}}}, outputBinding: {}}",
      ABC,
      { a: made("a.txt", "A") },
    ],
    "an optional record that lacks a file": [
      "{type: ['null', {type: record, fields: {a: {type: File, outputBinding: {glob: nope}}}}]}",
      ABC,
      null,
    ],
    "a secondary file that an expression names by a relative location": [
      '{type: File, outputBinding: {glob: a.txt}, secondaryFiles: [\'$({class: "File", location: "c.log"})\']}',
      ABC,
      made("a.txt", "A", { secondaryFiles: [made("c.log", "C")] }),
    ],
    "a File by a path, which is not decoded": [
      `{type: File, outputBinding: {outputEval: '$({class: "File", path: "b%20c"})'}}`,
      out({ "b c": "wrong", "b%20c": "right" }),
      made("b%20c", "right", { location: "file:///run/out/b%2520c" }),
    ],
    "names that end in a space or a control character": [
      "{type: 'File[]', outputBinding: {glob: 'x*'}}",
      out({ x: "A", "x ": "B", "x\u0001": "C" }),
      [
        made("x", "A"),
        made("x\u0001", "C", { location: "file:///run/out/x%01" }),
        made("x ", "B", { location: "file:///run/out/x%20" }),
      ],
    ],
    "cwl.output.json with escaped locations": [
      "File",
      out({ "cwl.output.json": '{"o": {"class": "File", "location": "b%20c"}}', "b c": "right", "b%20c": "wrong" }),
      made("b c", "right", { location: "file:///run/out/b%20c" }),
    ],
    "contents for an expression": [
      "{type: int, outputBinding: {glob: n, loadContents: true, outputEval: '$(parseInt(self[0].contents))'}}",
      out({ n: "42\n" }),
      42,
    ],
    "the exit code": ["{type: int, outputBinding: {outputEval: $(runtime.exitCode)}}", {}, 3],
    "self without a pattern": ["{type: 'null', outputBinding: {outputEval: $(self)}}", {}, null],
    "a single file from a list": [
      "{type: File, outputBinding: {glob: a.txt, outputEval: $(self)}}",
      ABC,
      made("a.txt", "A"),
    ],
    "another name": [
      "{type: File, outputBinding: {glob: a.txt, outputEval: '${self[0].basename = \"z.md\"; return self[0]}'}}",
      ABC,
      { ...made("a.txt", "A"), basename: "z.md", nameroot: "z", nameext: ".md" },
    ],
    "a literal from an expression": [
      '{type: File, outputBinding: {outputEval: \'$({class: "File", basename: "l.txt", contents: "hi"})\'}}',
      {},
      { class: "File", basename: "l.txt", nameroot: "l", nameext: ".txt", size: 2, contents: "hi" },
    ],
    "an input passed on": ["{type: File, outputBinding: {outputEval: $(inputs.in)}}", {}, IN],
    "secondary files": [
      "{type: File, secondaryFiles: [.bai, {pattern: ^.idx, required: true}, '$(self.path).x'], outputBinding: {glob: a.bam}}",
      out({ "a.bam": "A", "a.bam.bai": "B", "a.idx": "I", "a.bam.x": "X" }),
      made("a.bam", "A", { secondaryFiles: [made("a.bam.bai", "B"), made("a.idx", "I")] }),
    ],
    "a format": [
      "{type: File, format: 'http://e/$(inputs.name)', outputBinding: {glob: a.txt}}",
      ABC,
      made("a.txt", "A", { format: "http://e/b" }),
    ],
    "a record with bindings in its fields": [
      "{type: {type: record, name: r, fields: {one: {type: File, secondaryFiles: .s, outputBinding: {glob: a.txt}}, all: {type: 'File[]', outputBinding: {glob: '*.log'}}, none: int?}}}",
      { ...ABC, ...out({ "a.txt.s": "S" }) },
      { one: made("a.txt", "A", { secondaryFiles: [made("a.txt.s", "S")] }), all: [made("c.log", "C")], none: null },
    ],
    "names with special characters": [
      "{type: File, outputBinding: {glob: '*'}}",
      out({ "a b#[1]%.txt": "A" }),
      made("a b#[1]%.txt", "A", { location: "file:///run/out/a%20b%23[1]%25.txt" }),
    ],
    "a link within the folder keeps its name": [
      "{type: File, outputBinding: {glob: l.md}}",
      out({ "a.txt": "A", "l.md": { link: "a.txt" } }),
      { ...made("a.txt", "A"), basename: "l.md", nameroot: "l", nameext: ".md" },
    ],
    "a link to an input is that input": [
      "{type: 'File[]', outputBinding: {glob: l*}}",
      out({ l1: { link: "/data/in.txt" }, l2: { link: "/data/dir/x" } }),
      [
        { ...made("l1", "in"), location: "file:///data/in.txt" },
        { ...made("l2", "x"), location: "file:///data/dir/x" },
      ],
    ],
  };
  for (const [name, [output, tree, expected]] of Object.entries(cases))
    test(name, async () => assert.deepEqual(await collect(`  o: ${output}`, tree), { o: expected }));

  test("a File and a Directory by locations, which are decoded once", async () => {
    const files = { "sub/b c": "right", "sub/b%20c": "wrong", "\u00e9#%25": "E", "d /x": "x", "d/y": "y" };
    const outputs = `  o: {type: [File, Directory, "null"], outputBinding: {outputEval: '$({class: "File", location: "sub/b%20c"})'}}
  p: {type: File, outputBinding: {outputEval: '$({class: "File", location: "%C3%A9%23%2525"})'}}
  d: {type: Directory, outputBinding: {outputEval: '$({class: "Directory", location: "d%20/"})'}}`;
    assert.deepEqual(await collect(outputs, out(files)), {
      o: made("sub/b c", "right", { location: "file:///run/out/sub/b%20c" }),
      p: made("\u00e9#%25", "E", { location: "file:///run/out/%C3%A9%23%2525" }),
      d: { class: "Directory", location: "file:///run/out/d%20", basename: "d " },
    });
  });
});

describe("cwl.output.json", () => {
  const written = (value: unknown, more: MemoryTree = {}): MemoryTree => ({
    ...more,
    ...out({ "cwl.output.json": JSON.stringify(value) }),
  });
  const cases: Readonly<Record<string, readonly [outputs: string, tree: MemoryTree, expected: unknown]>> = {
    "takes precedence over bindings": [
      "  o: {type: string, outputBinding: {outputEval: never}}\n  p: int?",
      written({ o: "said", more: 1 }),
      { o: "said", p: null },
    ],
    "files by relative location, path and address": [
      "  o: File[]",
      written(
        {
          o: [
            { class: "File", location: "a.txt" },
            { class: "File", path: "/job/out/b.txt" },
            { class: "File", location: "file:///job/out/sub/d.txt" },
            { class: "File", path: "/job/in/0/in.txt" },
          ],
        },
        ABC,
      ),
      {
        o: [made("a.txt", "A"), made("b.txt", "BB"), made("sub/d.txt", "D"), IN],
      },
    ],
    "whole numbers with all their digits, and doubles as numbers": [
      "  o: long\n  p: double\n  q: Any",
      out({ "cwl.output.json": '{"o": -9223372036854775808, "p": 9007199254740993, "q": [9007199254740993]}' }),
      { o: -(2n ** 63n), p: 2 ** 53, q: [2n ** 53n + 1n] },
    ],
    "secondary files of its own": [
      "  o: {type: File, secondaryFiles: .no}",
      written({ o: { class: "File", path: "a.txt", secondaryFiles: [{ class: "File", path: "b.txt" }] } }, ABC),
      { o: made("a.txt", "A", { secondaryFiles: [made("b.txt", "BB")] }) },
    ],
  };
  for (const [name, [outputs, tree, expected]] of Object.entries(cases))
    test(name, async () => assert.deepEqual(await collect(outputs, tree), expected));
});
