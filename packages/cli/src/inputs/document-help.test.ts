import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { documentHelp } from "./document-help.ts";
import { toolWith } from "./testing/tool-with.ts";

const help = async (inputs: string, values: CwlObject = {}, more = "") =>
  documentHelp({
    cwd: "/a",
    process: await toolWith(inputs, more),
    command: "weft run tool.cwl",
    examples: ["examples/a.yml"],
    values,
  });

describe("the help page of a document", () => {
  it("says what the document does", async () =>
    assert.match(
      await help("{}", {}, "label: Say\ndoc: Says it.\n"),
      /\n\nSay\n\nSays it\.\n\nThe document has no inputs/,
    ));

  const rows: Readonly<Record<string, readonly [string, RegExp]>> = {
    "the type": ["{n: {type: int, doc: How many.}}", /^ {2}-n <int> +How many\. \(required\)$/m],
    "the default": ["{name: {type: string, default: a b}}", /--name <string> +\(default: 'a b'\)$/m],
    symbols: ["{e: {type: {type: enum, symbols: [a, b]}}}", /-e <a\|b> +\(required\)$/m],
    "long lists of symbols": [
      "{e: {type: {type: enum, symbols: [first_one, second_one, third]}}}",
      /<enum> +\(one of first_one, s/,
    ],
    lists: ["{all: {type: 'File[]'}}", /--all <File> +\(repeatable; required\)$/m],
    "how to turn a switch off": [
      "{fast: {type: boolean, default: true}}",
      /--fast +\(default: true; --no-fast turns it off\)$/m,
    ],
    fields: [
      "{r: {type: {type: record, fields: {a: int}}}}",
      /-r <JSON> +\(required\)\n {2}--r\.a <int> +\(required\)$/m,
    ],
    "optional inputs": ["{name: {type: 'string?'}}", /--name <string>$/m],
  };
  for (const [name, [inputs, expected]] of Object.entries(rows))
    it(`shows ${name}`, async () => assert.match(await help(inputs), expected));

  it("shows values of the first example", async () => {
    const page = await help("{n: int, s: string}", { n: 7, s: "x y" });
    assert.match(page, /-n <int> +\(required; example: 7\)/);
    assert.match(page, /Examples:\n {2}weft run tool\.cwl --n 7 --s 'x y'\n {2}weft run tool\.cwl examples\/a\.yml\n/);
  });

  it("is at most 100 columns wide, apart from commands", async () => {
    const page = await help(`{n: {type: int, doc: ${"word ".repeat(100)}}}`);
    for (const line of page.split("\n").filter((text) => !text.includes("Flags may follow")))
      assert.ok(line.length <= 100, line);
  });
});
