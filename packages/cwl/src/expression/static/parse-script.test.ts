import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createQuickjsEngine } from "../testing/quickjs-engine.ts";
import { parseScript } from "./parse-script.ts";
import { SCRIPT_GLOBALS } from "./script-globals.ts";

const engine = createQuickjsEngine();
const run = (form: "expression" | "body", code: string) => engine.run({ form, code, library: [], variables: {} });

test("the known globals are those of the engine, and the console that runs have", async () => {
  const found = await run("expression", "Object.getOwnPropertyNames(globalThis)");
  assert.ok(Array.isArray(found));
  assert.deepEqual(SCRIPT_GLOBALS, new Set([...found, "console"]));
});

const WRONG: readonly (readonly ["expression" | "body", string, offset: number, message: RegExp])[] = [
  ["expression", "1 +", 2, /ends too early/],
  ["expression", "return 1", 0, /unexpected `return`/],
  ["expression", "1; 2", 1, /unexpected `;`/],
  ["expression", "", 0, /ends too early/],
  ["body", "var x = 1 return x;", 10, /unexpected `return`/],
  ["body", "return 'it's';", 11, /unexpected `s`/],
  ["body", "with (Math) { return PI; }", 0, /'with' in strict mode/],
  ["body", "let a = 1; let a = 2; return a;", 15, /'a' has already been declared/],
  ["body", "return /(/;", 8, /regular expression/],
  ["body", "/* never closed", 0, /unterminated comment/],
];

describe("the engine refuses every script that the parser refuses", () => {
  for (const [form, code, offset, message] of WRONG)
    test(code, async () => {
      const parsed = parseScript(code, form);
      assert.ok("error" in parsed);
      assert.deepEqual([parsed.error.offset, message.test(parsed.error.message)], [offset, true], parsed.error.message);
      await assert.rejects(run(form, code));
    });
});
