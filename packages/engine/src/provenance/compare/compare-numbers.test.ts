import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareNumbers } from "./compare-numbers.ts";

const ONE_PERCENT = { relative: 0.01, absolute: 0 };

describe("compareNumbers", () => {
  const near = (largest: number) => ({ isWithin: true, largest });
  const far = (detail: string) => ({ isWithin: false, detail });
  const cases: Readonly<Record<string, readonly [name: string, a: string, b: string, expected: unknown]>> = {
    "numbers that are near": ["a.csv", "x,100\n", "x,100.5\n", near(0.5)],
    "numbers that are far": ["a.csv", "x,100\n", "x,102\n", far("line 1, column 2: 100 and 102")],
    "other ways of writing a number": ["a.tsv", "1e2\t.50\n", "100\t0.5\n", near(0)],
    "names, which are not numbers": ["a.csv", "s-1\n", "s-2\n", far('line 1, column 1: "s-1" and "s-2"')],
    "separators in quotation marks": ["a.csv", '"a,1",5\n', '"a,1",6\n', far("line 1, column 2: 5 and 6")],
    "a row that only one has": ["a.csv", "1\n", "1\n2\n", far("line 2, column 1 is only in the second")],
    "line ends of another system": ["a.csv", "1\r\n2\r\n", "1\n2\n", near(0)],
    "JSON in another order": ["a.json", '{"a":1,"b":[2,3]}', '{"b":[2,3],\n"a":1.001}', near(0.0009999999999998899)],
    "a key that only one has": ["a.json", '{"a":1,"b":2}', '{"a":1}', far("b is only in the first")],
    "a list that is longer": ["a.json", "[1]", "[1,2]", far("the list (entries): 1 and 2")],
    "a text where a number was": ["a.json", '{"a":1}', '{"a":"1"}', far('a: 1 and "1"')],
    "JSON that is none": ["a.json", "{", "{}", undefined],
    "a kind that has no numbers": ["a.txt", "1", "1", undefined],
  };
  for (const [what, [name, a, b, expected]] of Object.entries(cases))
    it(`reports ${what}`, () => assert.deepEqual(compareNumbers(name, [a, b], ONE_PERCENT), expected));

  it("an absolute tolerance allows small differences", () => {
    const pair = ["0\n", "0.001\n"] as const;
    assert.equal(compareNumbers("a.csv", pair, { relative: 0.5, absolute: 0 })?.isWithin, false);
    assert.equal(compareNumbers("a.csv", pair, { relative: 0, absolute: 0.01 })?.isWithin, true);
  });
});
