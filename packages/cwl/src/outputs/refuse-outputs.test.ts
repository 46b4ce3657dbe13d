import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MemoryTree } from "../files/testing/memory-files.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { ABC, collect, out } from "./testing/collect-from-memory.ts";

/** Limits so low that small outputs reach them. */
const LIMITS = { ...TEST_LIMITS, listingEntries: 1_000, loadedContentBytes: 1024 ** 2, outputObjectBytes: 100_000 };
const LARGEST_CONTENTS = "x".repeat(64 * 1024);

/** An output that takes what a pattern finds. */
const found = (glob: string, type = "File") => `  o: {type: ${type}, outputBinding: {glob: ${glob}}}`;

describe("collectOutputs refuses", () => {
  const CASES: Readonly<Record<string, Readonly<Record<string, readonly [outputs: string, MemoryTree, RegExp]>>>> = {
    MISSING_OUTPUT: {
      "a missing file": [
        "  report: {type: File, outputBinding: {glob: '*.html'}}",
        ABC,
        /^output `report` found no file matching `\*\.html` in the output folder, which holds: \.hidden\.txt, a\.txt, b\.txt, c\.log, sub\/$/,
      ],
      "a missing file in an empty folder": [found("x"), {}, /which is empty$/],
      "no value": [
        "  o: {type: int, outputBinding: {outputEval: $(null)}}",
        {},
        /output `o` has no value, but its type int needs one/,
      ],
      "a required secondary file": [
        "  o: {type: File, secondaryFiles: {pattern: .bai, required: true}, outputBinding: {glob: a.txt}}",
        ABC,
        /`a\.txt` lacks its secondary file `a\.txt\.bai`/,
      ],
      "a file that the program promised": [
        "  o: File",
        out({ "cwl.output.json": '{"o": {"class": "File", "path": "x"}}' }),
        /the File `x` does not exist/,
      ],
    },
    OUTPUT_INVALID: {
      "several files for one": [found("'*.txt'"), ABC, /takes one File, but `\*\.txt` matched 2: a\.txt, b\.txt/],
      "a folder for a file": [found("sub"), ABC, /takes File, but `sub` is a Directory/],
      "files in a list of folders": [
        "  o: {type: 'Directory[]', outputBinding: {glob: '*'}}",
        ABC,
        /at \/0.*expected Directory, found a File/,
      ],
      "a pattern that leads out": [found("../../secret"), {}, /leads out of the output folder/],
      "an absolute pattern": [found("/secret"), {}, /leads out of the output folder/],
      "a link that leads out": [
        found("l"),
        out({ l: { link: "/secret" } }),
        /`l` is a link that leads out of the output folder, to `\/secret`/,
      ],
      "a link that leads out within a folder": [
        found("d", "Directory"),
        out({ "d/e/l": { link: "../../../../secret" } }),
        /`d\/e\/l` is a link that leads out/,
      ],
      "a folder link that leads out": [
        found("d/secret"),
        { "/etc/secret": "s", ...out({ d: { link: "/etc" } }) },
        /leads out/,
      ],
      "a dangling link": [found("d", "Directory"), out({ "d/l": { link: "nowhere" } }), /does not exist/],
      "a device": [found("p"), out({ p: { special: true } }), /neither a file nor a folder/],
      "a device within a folder": [
        found("d", "Directory"),
        out({ "d/p": { special: true } }),
        /neither a file nor a folder/,
      ],
      "contents too large": [
        "  o: {type: string, outputBinding: {glob: big, loadContents: true, outputEval: x}}",
        out({ big: "x".repeat(65537) }),
        /65537 bytes/,
      ],
      "a value of another type": [
        "  o: {type: int, outputBinding: {outputEval: $(inputs.name)}}",
        {},
        /output `o`: expected int, found the text "b"/,
      ],
      "a file from elsewhere": [
        '  o: {type: File, outputBinding: {outputEval: \'$({class: "File", location: "file:///secret"})\'}}',
        {},
        /neither in the output folder nor one of the inputs/,
      ],
      "JSON that is none": ["  o: int", out({ "cwl.output.json": "{" }), /`cwl\.output\.json` is not valid JSON$/],
      "a JSON list": ["  o: int", out({ "cwl.output.json": "[]" }), /expected one JSON object/],
      "an output object of another file": [
        "  o: int",
        out({ "cwl.output.json": { link: "/secret" } }),
        /`cwl\.output\.json` is a link that leads out of the output folder/,
      ],
      "an output object that two links lead out to": [
        "  o: int",
        { "/run/out/cwl.output.json": { link: "sub/next" }, "/run/out/sub/next": { link: "../../../secret" } },
        /`cwl\.output\.json` is a link that leads out of the output folder/,
      ],
      "a path that climbs out": [
        "  o: File",
        out({ "cwl.output.json": '{"o": {"class": "File", "path": "../../secret"}}' }),
        /neither in the output folder/,
      ],
      "contents that are not UTF-8": [
        "  o: {type: string, outputBinding: {glob: a, loadContents: true, outputEval: '$(self[0].contents)'}}",
        out({ a: { bytes: Buffer.from("one\ncaf\xe9\n", "latin1") } }),
        /^`a` is not UTF-8: byte 0xe9 at line 2, byte 4; loadContents reads only text$/,
      ],
      "an output object that is not UTF-8": [
        "  o: string",
        out({ "cwl.output.json": { bytes: Buffer.from('{"o": "caf\xe9"}', "latin1") } }),
        /^`cwl.output.json` is not UTF-8: byte 0xe9 at line 1, byte 11$/,
      ],
    },
    LIMIT_EXCEEDED: {
      "an output object that is too large": [
        "  o: string",
        out({ "cwl.output.json": JSON.stringify({ o: "x".repeat(100_000) }) }),
        /the size of `cwl\.output\.json` \(100,008 bytes\) exceeds the limit of 100,000 \(output-object-bytes\)/,
      ],
      "an output object that nests too deep": [
        "  o: Any",
        out({ "cwl.output.json": `{"o": ${"[".repeat(5000)}${"]".repeat(5000)}}` }),
        /the nesting of the value exceeds the limit of 256 \(value-depth\)/,
      ],
      "listings that nest too deep": [
        "  o: Directory",
        out({ "cwl.output.json": `{"o": ${'{"class":"Directory","listing":['.repeat(800)}${"]}".repeat(800)}}` }),
        /the nesting of the value exceeds the limit of 256 \(value-depth\)/,
      ],
      "folders that nest too deep": [
        found("deep", "Directory"),
        out({ [`deep${"/s".repeat(800)}/a`]: "" }),
        /the nesting of folders in the output exceeds the limit of 256 \(value-depth\)/,
      ],
      "too many entries in a listing": [
        found("many, loadListing: shallow_listing", "Directory"),
        out(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`many/${index}`, ""]))),
        /exceeds the limit of 1,000 \(listing-entries\)/,
      ],
      "too many contents in one output": [
        "  o: {type: string, outputBinding: {glob: 'many/*', loadContents: true, outputEval: '$(self[0].contents)'}}",
        out(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`many/${index}`, LARGEST_CONTENTS]))),
        /the size of the contents that `loadContents` loads exceeds the limit of 1,048,576 \(loaded-content-bytes\)/,
      ],
      "too many contents in two outputs": [
        ["a", "b"]
          .map((id) => `  ${id}: {type: string, outputBinding: {glob: 'many/*', loadContents: true, outputEval: ok}}`)
          .join("\n"),
        out(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`many/${index}`, LARGEST_CONTENTS]))),
        /loaded-content-bytes/,
      ],
    },
    EXPRESSION: {
      "an expression that fails": ["  o: {type: int, outputBinding: {outputEval: '$(nothing.here)'}}", {}, /nothing/],
    },
  };
  for (const [code, cases] of Object.entries(CASES))
    for (const [name, [outputs, tree, message]] of Object.entries(cases))
      test(name, () => assert.rejects(collect(outputs, tree, LIMITS), { code, message }));
});

test("a broken output object is never quoted", async () => {
  const wrong = collect("  o: int", out({ "cwl.output.json": "secret-token" }));
  await assert.rejects(wrong, (error: Error) => !JSON.stringify([error.message, error.cause]).includes("secret"));
});
