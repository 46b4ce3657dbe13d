import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { QuickJsEngine } from "./quickjs-engine.ts";

const sandbox = new QuickJsEngine();
const hasty = new QuickJsEngine(500);
after(() => Promise.all([sandbox.close(), hasty.close()]));

type More = Partial<ScriptRequest>;

const ask = (code: string, more: More = {}, engine = sandbox) =>
  engine.run({ form: "expression", code, library: [], variables: {}, ...more });
const askBody = (code: string, more: More = {}, engine = sandbox) => ask(code, { form: "body", ...more }, engine);
const shown = (code: string) => JSON.stringify(code.length > 70 ? `${code.slice(0, 70)}…` : code);

const PROXY = `new Proxy({}, {
  ownKeys: function () { return ["x"]; },
  getOwnPropertyDescriptor: function () { return { value: 1, enumerable: true, configurable: true }; },
  get: function (target, name) { return name === "x" ? 3 : undefined; }
})`;

describe("QuickJsEngine", () => {
  const values: [string, More, unknown][] = [
    ["1 + 1", {}, 2],

    ["({a: [1, null, 'x']})", {}, { a: [1, null, "x"] }],
    ["inputs.n * 2 // a comment at the end", { variables: { inputs: { n: 21 } } }, 42],
    ["self.map(function (x) { return x + 1; })", { variables: { self: [1, 2] } }, [2, 3]],
    ["twice(4)", { library: ["function twice(x) { return 2 * x; }"] }, 8],
    [
      "'\u2028' + inputs.text",
      { variables: { inputs: { text: "__proto__ \u0000 ünï" } } },
      "\u2028__proto__ \u0000 ünï",
    ],
    ["inputs.text.length", { variables: { inputs: { text: "x".repeat(100_000) } } }, 100_000],
    ["(console.log('left behind'), console.error('too'), 4)", {}, 4],
    ["[NaN, -Infinity, -0, function () {}, undefined]", {}, [null, null, 0, null, null]],
    ["NaN", {}, null],
    ["new Date(0)", {}, "1970-01-01T00:00:00.000Z"],
    ["'\\ud800' + inputs", { variables: { inputs: "\udfff" } }, "\ud800\udfff"],
    ["({toJSON: function () { return 7; }})", {}, 7],
    ["({get a() { return 1; }})", {}, { a: 1 }],
    [PROXY, {}, { x: 3 }],
    ["({}).constructor.constructor('return typeof process + typeof require')()", {}, "undefinedundefined"],
    [
      "[typeof process, typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly, typeof Atomics].join('')",
      {},
      "undefined".repeat(6),
    ],
    ["'x'.repeat(1 << 22).length", {}, 1 << 22],
  ];
  for (const [code, more, expected] of values)
    it(`evaluates ${shown(code)}`, async () => assert.deepEqual(await ask(code, more), expected));

  const failures: Readonly<Record<string, RegExp>> = {
    "return nothing.here;": /^the expression `\$\{return nothing\.here;\}` failed: ReferenceError: .*nothing/,
    "return 1 +;": /SyntaxError/,
    "throw new Error('no such subject');\nreturn 1;":
      /`\$\{throw new Error\('no such subject'\);…\}` failed: Error: no/,
    "throw 'text';": /failed: text$/,
    "throw undefined;": /thrown: undefined/,
    "throw null;": /thrown: null/,
    "throw {a: 1};": /thrown: {"a":1}/,
    "throw Symbol('s');": /thrown: Symbol\(s\)/,
    "throw {toString: function () { throw 1; }, get message() { throw 2; }};": /something was thrown that has no text/,
    "throw 'x'.repeat(100000);": /^.{500,700}$/,
    "return;": /the result is undefined, which is not a JSON value: return null where there is nothing/,
    "return function () {};": /a function, which is not a JSON value/,
    "return Symbol('x');": /a symbol/,
    "return 3n;": /a BigInt, which is not a JSON value: take Number\(…\) of it/,
    "return [3n];": /TypeError: .*BigInt/,
    "return new Promise(function () {});": /a promise, .*: expressions cannot wait/,
    "return (async function () { await new Promise(function () {}); })();": /a promise/,
    "return import('node:fs');": /a promise/,
    "return require('fs');": /ReferenceError: .*require/,
    "process.exit(1);": /ReferenceError: .*process/,
    "return {get a() { throw new Error('from a getter'); }};": /Error: from a getter/,
    "var o = {}; o.o = o; return o;": /circular/,
    "function f() { return f() + 1; } return f();": /stack overflow/,
    "return JSON.parse('['.repeat(1000000));": /stack overflow/,
    "return eval('('.repeat(100000));": /stack overflow/,
    "var a = []; for (var i = 0; i < 300; i++) a = [a]; return a;": /is nested deeper than 256 levels/,
    "return 'x'.repeat(10 * 1024 * 1024);": /^the result of the expression `.*` is larger than 8 MiB$/,
    "var a = 'x'; while (true) a = [a, a, a].join('');": /needs more than 64 MiB of memory/,
    "return new ArrayBuffer(1 << 30);": /needs more than 64 MiB of memory/,
    "return Array.from({length: 1e9});": /needs more than 64 MiB of memory/,
    "return 'a'.padEnd(1e9);": /needs more than 64 MiB of memory/,
  };
  for (const [code, expected] of Object.entries(failures))
    it(`refuses ${shown(code)}, and continues`, async () => {
      await assert.rejects(askBody(code), { name: "CwlFailure", code: "EXPRESSION", message: expected });
      assert.equal(await ask("1 + 1"), 2);
    });

  it("blames the library for an error in it", () =>
    assert.rejects(ask("1", { library: ["var a;", "var b = ;"] }), {
      message: /`\$\(1\)` failed: in expressionLib\[1\]: SyntaxError/,
    }));

  const endless: [string, More][] = [
    ["while (true) {}", {}],
    ["for (;;) { try { while (true) {} } catch (e) {} }", {}],
    ["return /^(a+)+$/.test('a'.repeat(40) + 'b');", {}],
    ["return {get a() { for (;;); }};", {}],
    ["return {toJSON: function () { for (;;); }};", {}],
    ["throw {get message() { for (;;); }};", {}],
    ["return 1;", { library: ["for (;;);"] }],
    // A loop of the interpreter itself, which sees no interrupt: the thread is ended.
    ["return new Array(4294967295).join('x');", {}],
  ];
  for (const [code, more] of endless)
    it(`stops ${shown(code)}, and continues`, async () => {
      await assert.rejects(askBody(code, more, hasty), {
        message: /^the expression `.*` did not finish within 0\.5 s$/,
        hint: /--eval-timeout/,
      });
      assert.equal(await ask("1 + 1", {}, hasty), 2);
    });

  const LIBRARY = "var count = 0, seen = [], zeros = new Uint8Array(6 << 20);";
  const LARGE = { inputs: { list: Array.from({ length: 5000 }, (_, index) => index), name: "a" } };
  const traces: Readonly<Record<string, readonly [string, More, unknown]>> = {
    "globalThis.left = 1;": ["typeof left", {}, "undefined"],
    "Object.prototype.left = 1; Array.prototype.map = null;": [
      "[typeof ({}).left, typeof [].map]",
      {},
      ["undefined", "function"],
    ],
    "JSON.stringify = function () { return '{'; };": ["({a: 1})", {}, { a: 1 }],
    "count++; seen.push(1); zeros[0] = 1;": ["[count, seen, zeros[0]]", { library: [LIBRARY] }, [0, [], 0]],
    "inputs.name = 'b'; inputs.list.length = 0;": [
      "[inputs.name, inputs.list.length]",
      { variables: LARGE },
      ["a", 5000],
    ],
    "self.basename = 'b';": ["self.basename", { variables: { self: { basename: "a" } } }, "a"],
    "}); globalThis.left = 1; (function () {": ["typeof left", {}, "undefined"],
  };
  for (const [first, [then, more, expected]] of Object.entries(traces))
    it(`keeps no trace of ${shown(first)}`, async () => {
      assert.deepEqual(await ask(then, more), expected);
      assert.equal(await askBody(`${first}\nreturn null;`, more), null);
      assert.deepEqual(await ask(then, more), expected);
    });

  it("gives each script the library and the inputs of its own job", async () => {
    const library = (word: string) => [`function word() { return "${word}"; }`];
    const inputs = (word: string) => ({ inputs: { pad: "x".repeat(20_000), word } });
    const jobs = Array.from({ length: 20 }, (_, index) => `${index % 5}`);
    const answers = await Promise.all(
      jobs.map((word) => ask("word() + inputs.word", { library: library(word), variables: inputs(`-${word}`) })),
    );
    assert.deepEqual(
      answers,
      jobs.map((word) => `${word}-${word}`),
    );
  });

  it("lets no job wait or fail because of another job's endless loop", async () => {
    const shared = new QuickJsEngine();
    let hasEnded = false;
    const end = () => (hasEnded = true);
    askBody("for (;;);", {}, shared).then(end, end);
    const others = Array.from({ length: 5 }, (_, index) => ask(`${index}`, {}, shared));
    assert.deepEqual(await Promise.all(others), [0, 1, 2, 3, 4]);
    assert.equal(hasEnded, false);
    await shared.close();
  });

  it("re-evaluates the scripts that waited for a terminated thread", async () => {
    const crowded = new QuickJsEngine(500);
    const bombs = Array.from({ length: 5 }, () => askBody("return new Array(4294967295).join('x');", {}, crowded));
    const others = Array.from({ length: 6 }, (_, index) => ask(`${index}`, {}, crowded));
    for (const bomb of bombs) await assert.rejects(bomb, /did not finish/);
    assert.deepEqual(await Promise.all(others), [0, 1, 2, 3, 4, 5]);
    await crowded.close();
  });
});
