import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../testing/any-character.ts";
import { quoteForShell } from "./quote-for-shell.ts";

/** Programs can be given any text but NUL; the shell reads UTF-8. */
const word = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(..." '\"\\$`!*?[]{}()<>|&;#~=%\t\n\r-a") }),
);

test("a shell reads quoted words back unchanged", () => {
  const words = fc.array(
    word.filter((text) => !text.includes("\0") && text.isWellFormed()),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(words, (all) => {
      const script = `printf '%s\\0' ${all.map(quoteForShell).join(" ")}`;
      const { stdout } = spawnSync("/bin/sh", { input: script, encoding: "utf8", maxBuffer: 1 << 24 });
      assert.deepEqual(stdout.split("\0").slice(0, -1), all.length === 0 ? [""] : all);
    }),
    { numRuns: 50 },
  );
});
