import assert from "node:assert/strict";
import { test } from "node:test";
import { quoteForShell } from "@weft/cwl/command/quote-for-shell.ts";
import { shellWord } from "@weft/shared/records/shell-line.ts";

test("a command line is shown with the quotes with which it runs", () => {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  for (const text of ["", "it's", "a b", "ä", "\u{1F600}", ...characters, ...characters.map((one) => `a${one}b`)])
    assert.equal(shellWord(text), quoteForShell(text));
});
