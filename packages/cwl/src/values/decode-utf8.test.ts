import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../testing/any-character.ts";
import { loadDocument } from "../document/load-document.ts";
import { loadInputObject } from "../document/load-input-object.ts";
import { decodeUtf8, NotUtf8 } from "./decode-utf8.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc
    .array(fc.constantFrom(0x41, 0x0a, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f), {
      maxLength: 8,
    })
    .map((list) => Uint8Array.from(list)),
  fc.string({ unit: anyCharacter, maxLength: 8 }).map((text) => new TextEncoder().encode(text)),
);

test("decodeUtf8 accepts exactly UTF-8, with every character", () => {
  fc.assert(
    fc.property(bytes, (sample) => {
      if (!isUtf8(sample)) return assert.throws(() => decodeUtf8(sample), NotUtf8);
      assert.deepEqual(new TextEncoder().encode(decodeUtf8(sample)), sample);
    }),
    { numRuns: 2000 },
  );
});

test("decodeUtf8 omits only an incomplete character at the end", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 8 }), fc.nat(3), (text, cut) => {
      const whole = new TextEncoder().encode(text.toWellFormed());
      const sample = whole.subarray(0, Math.max(0, whole.length - cut));
      assert.ok(text.toWellFormed().startsWith(decodeUtf8(sample, { isCut: true })));
    }),
    { numRuns: 500 },
  );
  assert.throws(() => decodeUtf8(Uint8Array.of(0x41, 0xe9, 0x41), { isCut: true }), NotUtf8);
});

const latin1 = (text: string) => Buffer.from(text, "latin1");

const PLACES: readonly (readonly [string, string])[] = [
  ["s: x\nt: caf\xe9\n", "2:7 not UTF-8: byte 0xe9 at line 2, byte 7"],
  ["\xff\xfea\0", "1:1 not UTF-8: byte 0xff at line 1, byte 1"],
  ["\xc3\xa9\xe9", "1:2 not UTF-8: byte 0xe9 at line 1, byte 3"],
];
for (const [text, expected] of PLACES) {
  test(`NotUtf8 names the place in ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => decodeUtf8(latin1(text)),
      (error) => error instanceof NotUtf8 && `${error.line}:${error.column} ${error.message}` === expected,
    );
  });
}

/** Reads texts as Latin-1 bytes. */
const readerOf = (texts: Readonly<Record<string, string>>) => ({
  read: async (uri: string) => {
    const text = texts[uri];
    return text === undefined ? undefined : decodeUtf8(latin1(text));
  },
});

const TOOL = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: x\ninputs: []\noutputs: []\n";
const DOCUMENTS: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["a document", { a: `${TOOL}label: caf\xe9\n` }, "a:6:11"],
  ["an import", { a: `${TOOL}hints: [{$import: b}]\n`, b: "class: \xe9\n" }, "b:1:8"],
  ["an include", { a: `${TOOL}doc: {$include: c}\n`, c: "one\ntwo \xe9\n" }, "c:2:5"],
];
for (const [name, texts, place] of DOCUMENTS) {
  test(`loadDocument refuses ${name} that is not UTF-8, once`, async () => {
    const files = Object.fromEntries(Object.entries(texts).map(([file, text]) => [`file:///w/${file}`, text]));
    const { diagnostics } = await loadDocument("file:///w/a", { reader: readerOf(files) });
    const found = diagnostics.map(({ file, line, column, code }) => `${file.slice(10)}:${line}:${column} ${code}`);
    assert.deepEqual(found, [`${place} not-utf8`]);
  });
}

test("an input object that is not UTF-8 is refused, as YAML and as JSON", async () => {
  for (const text of ["t: caf\xe9\n", '{"t":"caf\xe9"}']) {
    const { diagnostics } = await loadInputObject("file:///w/j", { reader: readerOf({ "file:///w/j": text }) });
    const shown = diagnostics.map(({ severity, code }) => `${severity} ${code}`);
    assert.deepEqual(shown, ["error not-utf8"]);
  }
});
