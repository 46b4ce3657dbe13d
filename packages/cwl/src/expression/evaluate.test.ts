import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../testing/any-character.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlValue } from "../model/cwl-value.ts";
import type { Requirement } from "../model/requirement.ts";
import { createEvaluator } from "./evaluate.ts";
import { createQuickjsEngine, NO_SCRIPTS } from "./testing/quickjs-engine.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const INPUTS = {
  bar: { baz: "zab1", "b az": 2, "b'az": true, 'b"az': null, buz: ["a", "b", "c"] },
  length: 7,
  size: 0.00001,
  file: { class: "File", path: "/in/a.bam", basename: "a.bam" },
  text: 'quoted "word"',
  lines: ["a\n", { z: true, y: 1e-7 }],
} as const;
const CONTEXT = { inputs: INPUTS, self: ["me"], runtime: { cores: 4, outdir: "/out" } };

const evaluatorFor = (requirements: readonly Requirement[], script = NO_SCRIPTS) =>
  createEvaluator({ script, requirements: effectiveRequirements([{ requirements, hints: [] }]), limits: TEST_LIMITS });

const plain = evaluatorFor([]);
const JAVASCRIPT: Requirement = {
  class: "InlineJavascriptRequirement",
  expressionLib: ["function twice(x) { return 2 * x; }"],
};

describe("plain parameter references and interpolation never start JavaScript", () => {
  const cases: readonly (readonly [text: CwlValue, expected: CwlValue])[] = [
    ["no expression", "no expression"],
    ["back\\\\slash stays without an expression", "back\\\\slash stays without an expression"],
    [42, 42],
    [["$(inputs.bar)"], ["$(inputs.bar)"]],
    ["$(inputs.bar.baz)", "zab1"],
    ["$(inputs['bar'][\"baz\"])", "zab1"],
    ["$(inputs.bar['b az'])", 2],
    ["$(inputs.bar['b\\'az'])", true],
    ["$(inputs.bar['b\"az'])", null],
    ["$(inputs.bar.buz[1])", "b"],
    ["$(inputs.bar.buz.length)", 3],
    ["$(inputs.length)", 7],
    ["$(self[0])", "me"],
    ["$(runtime.cores)", 4],
    ["$(null)", null],
    ["$(inputs.bar.buz)", ["a", "b", "c"]],
    ["  $(runtime.cores)\n", 4],
    ["-$(inputs.bar.baz)", "-zab1"],
    ["$(inputs.bar['b az']) $(runtime.cores)", "2 4"],
    ["x$(inputs.bar['b\"az'])", "xnull"],
    ["x$(inputs.bar.buz)", 'x["a", "b", "c"]'],
    ["x$(inputs.bar)", 'x{"b az": 2, "b\\"az": null, "b\'az": true, "baz": "zab1", "buz": ["a", "b", "c"]}'],
    ["x$(inputs.size)", "x0.00001"],
    ["x$(inputs.lines)", 'x["a\\n", {"y": 0.0000001, "z": true}]'],
    ["say $(inputs.text)", 'say quoted "word"'],
    ["\\$(inputs.bar)", "$(inputs.bar)"],
    ["\\${x}", "${x}"],
    ["\\\\$(runtime.cores)", "\\4"],
    ["\\\\\\$(runtime.cores)", "\\$(runtime.cores)"],
    ["a\\nb $(runtime.cores)", "a\\nb 4"],
    ["echo \\\n  $(runtime.cores)", "echo \\\n  4"],
  ];
  for (const [text, expected] of cases)
    test(JSON.stringify(text), async () => assert.deepEqual(await plain.evaluate(text, CONTEXT), expected));
});

describe("before v1.2 a backslash frees any character", () => {
  const old = createEvaluator({
    limits: TEST_LIMITS,
    script: NO_SCRIPTS,
    requirements: effectiveRequirements([]),
    cwlVersion: "v1.0",
  });
  const cases: readonly (readonly [text: string, expected: string])[] = [
    ["no expression \\n", "no expression \\n"],
    ["\\$(inputs.bar) \\${x} $(runtime.cores)", "$(inputs.bar) ${x} 4"],
    ["\\\\$(runtime.cores)", "\\4"],
    ["a\\nb \\$1 $(runtime.cores)\\", "anb $1 4\\"],
  ];
  for (const [text, expected] of cases)
    test(JSON.stringify(text), async () => assert.equal(await old.evaluate(text, CONTEXT), expected));
});

describe("JavaScript in effect", () => {
  const cases: readonly (readonly [text: string, expected: CwlValue])[] = [
    ["$(1 + 2)", 3],
    ["${ return {a: [inputs.bar.baz, twice(runtime.cores)]}; }", { a: ["zab1", 8] }],
    ["$(inputs.text.length)", 13],
    ["$('a)b' + \"c}\")-${ return '}' }", "a)bc}-}"],
    ["${ // don't stop at }\n return 1; /* ' } */ }", 1],
    ["${ return 'a/b\"c'.replace(/[/\"]/g, '}'); }", "a}b}c"],
    ["$(inputs['bar'].baz.toUpperCase())!", "ZAB1!"],
    ["$(self[0] + inputs.file.basename)", "mea.bam"],
    ["$(Object.keys(inputs).length)", 6],
    ["$(`${inputs.bar.baz}` + ')')", "zab1)"],
  ];
  for (const [text, expected] of cases)
    test(JSON.stringify(text), async () => {
      const evaluator = evaluatorFor([JAVASCRIPT], createQuickjsEngine());
      assert.deepEqual(await evaluator.evaluate(text, CONTEXT), expected);
    });

  test("sends only the inputs that are named", async () => {
    const script = createQuickjsEngine();
    const bare: Requirement = { class: "InlineJavascriptRequirement", expressionLib: [] };
    await evaluatorFor([bare], script).evaluate("$(inputs.length + inputs.file.path.length)", CONTEXT);
    await evaluatorFor([bare], script).evaluate("$(inputs['length'] + inputs[ \"size\" ])", CONTEXT);
    await evaluatorFor([bare], script).evaluate("$(inputs[self[0]] === undefined)", CONTEXT);
    await evaluatorFor([bare], script).evaluate("$(1 + 1)", CONTEXT);
    assert.deepEqual(
      script.requests.map(({ variables }) => variables),
      [
        { inputs: { length: INPUTS.length, file: INPUTS.file } },
        { inputs: { length: INPUTS.length, size: INPUTS.size } },
        { inputs: INPUTS, self: ["me"] },
        {},
      ],
    );
  });
});

describe("whole numbers that JavaScript cannot represent", () => {
  const inputs = { odd: 2n ** 53n + 1n, even: 2n ** 60n, "a b": [1, { deep: -(2n ** 63n) + 1n }], n: 7 };
  const context = { ...CONTEXT, inputs };
  const PASSED_ON: readonly (readonly [text: string, expected: CwlValue])[] = [
    ["$(inputs.odd)", 2n ** 53n + 1n],
    ["$(inputs['a b'][1].deep)", -(2n ** 63n) + 1n],
    ["--odd=$(inputs.odd)", "--odd=9007199254740993"],
    ["x$(inputs['a b'])", 'x[1, {"deep": -9223372036854775807}]'],
  ];
  for (const [text, expected] of PASSED_ON)
    test(`${text} keeps all digits`, async () => assert.deepEqual(await plain.evaluate(text, context), expected));

  const CALCULATED: readonly (readonly [text: string, expected: CwlValue])[] = [
    ["$(inputs.even === Math.pow(2, 60))", true],
    ["$(inputs['n'] + 1)", 8],
    ["${ return inputs.even; }", 2 ** 60],
  ];
  for (const [text, expected] of CALCULATED)
    test(`${text} sees exact numbers`, async () => {
      const evaluator = evaluatorFor([JAVASCRIPT], createQuickjsEngine());
      assert.deepEqual(await evaluator.evaluate(text, context), expected);
    });

  const REFUSED: Readonly<Record<string, readonly [message: string, reference: string]>> = {
    "$(inputs.odd + 1)": [
      "`inputs.odd` is 9007199254740993, which JavaScript cannot represent exactly",
      "$(inputs.odd)",
    ],
    "$(inputs['a b'].length + 1)": [
      '`inputs["a b"][1].deep` is -9223372036854775807, which JavaScript cannot represent exactly',
      '$(inputs["a b"][1].deep)',
    ],
  };
  for (const [text, [message, reference]] of Object.entries(REFUSED))
    test(`${text} is refused`, async () => {
      const evaluator = evaluatorFor([JAVASCRIPT]);
      await assert.rejects(evaluator.evaluate(text, context, { place: "arguments.0" }), {
        ...{
          name: "CwlFailure",
          code: "EXPRESSION",
          place: "arguments.0",
          message,
          hint: new RegExp(RegExp.escape(reference)),
        },
      });
    });
});

describe("failures name the place and the problem", () => {
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ["$(inputs.bar.nothing)", /`inputs\.bar` has no field `nothing`, only `baz`, /],
    ["$(inputs.bar.buz[3])", /`inputs\.bar\.buz` is an array and has no element 3/],
    ["$(null.something)", /`null` is not known here/],
    ["$(outputs)", /`outputs` is not known here; an expression can use `inputs`, `self`, `runtime`/],
    ["$(inputs.bar.constructor)", /has no field `constructor`/],
    ["$(1 + 1)", /InlineJavascriptRequirement is not in effect/],
    ["${return 1}", /InlineJavascriptRequirement is not in effect/],
    ["a $(inputs.bar", /starts with `\$\(inputs\.bar` is not closed by `\)`/],
  ];
  for (const [text, message] of cases)
    test(text, () =>
      assert.rejects(plain.evaluate(text, CONTEXT, { place: "arguments.0" }), {
        ...{ name: "CwlFailure", code: "EXPRESSION", place: "arguments.0", message },
      }),
    );

  test("a script whose result is not JSON", async () => {
    const evaluator = evaluatorFor([JAVASCRIPT], createQuickjsEngine());
    for (const text of ["$(inputs.bar.nothing)", "${}", "$(function () {})"])
      await assert.rejects(evaluator.evaluate(text, CONTEXT), { code: "EXPRESSION", message: /the expression gave/ });
  });

  test("a script that throws", async () => {
    const evaluator = evaluatorFor([JAVASCRIPT], createQuickjsEngine());
    await assert.rejects(evaluator.evaluate("$(nowhere())", CONTEXT, { place: "stdout" }), {
      code: "EXPRESSION",
      place: "stdout",
      message: /nowhere/,
    });
  });
});

describe("parameter references", () => {
  const name = fc.oneof(fc.constantFrom("a", "b_1", "length", "ä"), fc.string({ minLength: 1, unit: anyCharacter }));
  const value = fc.letrec<{ value: CwlValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  /** A value below `inputs`, and a reference to it. */
  const reference = fc.tuple(value, fc.infiniteStream(fc.nat())).map(([root, choices]) => {
    let [found, text] = [root, "inputs.x"];
    while (typeof found === "object" && found !== null && Object.keys(found).length > 0) {
      const keys = Object.keys(found);
      const key = keys[(choices.next().value ?? 0) % keys.length] ?? "";
      text += Array.isArray(found) ? `[${key}]` : nameText(key);
      found = Reflect.get(found, key);
    }
    return { inputs: { x: root }, text: `$(${text})`, found };
  });
  const nameText = (key: string) =>
    /^[a-z_]\w*$/.test(key) ? `.${key}` : `['${key.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}']`;

  test("mean the value at their place", async () =>
    fc.assert(
      fc.asyncProperty(reference, async ({ inputs, text, found }) =>
        assert.deepEqual(await plain.evaluate(text, { inputs, self: null }), found),
      ),
      { numRuns: 500 },
    ));

  test("mean the same in JavaScript, without line breaks in names", async () => {
    const engine = createQuickjsEngine();
    await fc.assert(
      fc.asyncProperty(reference, async ({ inputs, text, found }) => {
        fc.pre(!/[\n\r]/.test(text) && text.isWellFormed());
        const code = `(${text.slice(2, -1)})`;
        assert.deepEqual(await engine.run({ form: "expression", code, library: [], variables: { inputs } }), found);
      }),
      { numRuns: 60 },
    );
  });

  test("leave the text around them unchanged, except for escapes", async () => {
    const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll(/\$(?=[({])/g, "\\$");
    const around = fc.string({ unit: fc.constantFrom(..."\\$(){}a \n") });
    await fc.assert(
      fc.asyncProperty(around, around, async (before, after) => {
        fc.pre(before.trim() !== "");
        const text = `${escaped(before)}$(self)${escaped(after)}`;
        assert.equal(await plain.evaluate(text, { inputs: {}, self: "me" }), `${before}me${after}`);
      }),
      { numRuns: 1000 },
    );
  });
});
