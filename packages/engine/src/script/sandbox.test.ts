import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { Sandbox } from "./sandbox.ts";

const sandbox = new Sandbox();
after(() => sandbox.close());

const ask = (code: string, more: Partial<ScriptRequest> = {}) =>
  sandbox.run({ form: "expression", code, library: [], variables: {}, ...more });

describe("Sandbox", () => {
  const values: [string, Partial<ScriptRequest>, unknown][] = [
    ["1 + 1", {}, 2],
    ["undefined", {}, null],
    ["({a: [1, null, 'x']})", {}, { a: [1, null, "x"] }],
    ["inputs.n * 2 // a comment at the end", { variables: { inputs: { n: 21 } } }, 42],
    ["return self.map(function (x) { return x + 1; });", { form: "body", variables: { self: [1, 2] } }, [2, 3]],
    ["twice(4)", { library: ["function twice(x) { return 2 * x; }"] }, 8],
    ["typeof process + typeof require + typeof fetch", {}, "undefinedundefinedundefined"],
    [
      "'\u2028' + inputs.text",
      { variables: { inputs: { text: "__proto__ \u0000 ünï" } } },
      "\u2028__proto__ \u0000 ünï",
    ],
  ];
  for (const [code, more, expected] of values) {
    it(`evaluates ${JSON.stringify(code)}`, async () => assert.deepEqual(await ask(code, more), expected));
  }

  const failures: [string, Partial<ScriptRequest>, RegExp][] = [
    ["nothing.here", {}, /ReferenceError: .*nothing/],
    ["1 +", {}, /SyntaxError/],
    ["throw new Error('no such subject')", { form: "body" }, /Error: no such subject/],
    ["throw 'text'", { form: "body" }, /text/],
    ["var a = 'x'; while (true) a = [a, a, a].join('');", { form: "body" }, /out of memory/],
  ];
  for (const [code, more, expected] of failures) {
    it(`refuses ${JSON.stringify(code)}`, () =>
      assert.rejects(ask(code, more), { name: "CwlFailure", code: "EXPRESSION", message: expected }));
  }

  it("shares nothing between evaluations", async () => {
    await ask("globalThis.left = 1; return 1;", { form: "body" });
    assert.equal(await ask("typeof left"), "undefined");
  });

  it("stops a script that does not end, and goes on", async () => {
    await assert.rejects(ask("while (true) {}", { form: "body" }), /did not end within 5 s/);
    assert.equal(await ask("1"), 1);
  });
});
