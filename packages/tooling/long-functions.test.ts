import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { functionsOf } from "./long-functions.ts";

const row = (lines: number) => `  ${"a".repeat(3)}${lines}: [\n${"    1,\n".repeat(lines - 2)}  ],\n`;
const rows = (count: number, lines = 1) =>
  Array.from({ length: count }, (_, index) => (lines === 1 ? `  a${index}: 1,\n` : row(lines))).join("");
const cases = (count: number, end: string) =>
  Array.from({ length: count }, (_, index) => `  case ${index}:\n    ${end}\n`).join("");
const statements = (count: number) => Array.from({ length: count }, (_, index) => `  const b${index} = 1;\n`).join("");

function isTable(text: string): boolean | undefined {
  return functionsOf("a.ts", text)[0]?.isTable;
}

describe("long functions", () => {
  const examples: readonly [title: string, text: string, isTable: boolean][] = [
    ["an object of short rows", `function f() {\n  return {\n${rows(60)}  };\n}`, true],
    ["an arrow function that is an array", `const f = () => [\n${"  1,\n".repeat(60)}];`, true],
    ["a literal with a type around it", `function f() {\n  return {\n${rows(60)}  } as const;\n}`, true],
    ["rows of 20 lines", `function f() {\n  return {\n${rows(3, 20)}  };\n}`, true],
    ["a row of 21 lines", `function f() {\n  return {\n${rows(40)}${row(21)}  };\n}`, false],
    ["steps before the rows", `function f() {\n${statements(8)}  return {\n${rows(40)}  };\n}`, false],
    ["a switch that returns", `function f(x) {\n  switch (x) {\n${cases(30, "return 1;")}  }\n}`, true],
    ["a switch that falls through", `function f(x) {\n  switch (x) {\n${cases(30, "y();")}  }\n}`, false],
    ["a sequence of steps", `function f() {\n${statements(60)}}`, false],
    ["an element", `function f() {\n  return g(\n${"  1,\n".repeat(60)});\n}`, false],
  ];
  for (const [title, text, expected] of examples)
    it(`recognizes ${expected ? "a table" : "no table"}: ${title}`, () => assert.equal(isTable(text), expected));
  it("measures functions in functions", () => {
    const inner = `const inner = () => {\n${statements(50)}};`;
    const lengths = functionsOf("a.ts", `function outer() {\n${inner}\n}`).map(({ name, lines }) => [name, lines]);
    assert.deepEqual(lengths, [
      ["outer", 54],
      ["inner", 52],
    ]);
  });
});
