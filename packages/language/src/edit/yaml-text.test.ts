import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { YamlText } from "./yaml-text.ts";

function edited(text: string, edit: (yaml: YamlText) => void): string {
  const yaml = YamlText.parse(text);
  assert.ok(yaml !== undefined);
  edit(yaml);
  return yaml.text;
}

const CASES: Readonly<Record<string, readonly [text: string, edit: (yaml: YamlText) => void, expected: string]>> = {
  "adds to a block map": [
    "a:\n  b: 1 # one\n# end\nc: 2\n",
    (y) => y.set(["a", "d"], "x"),
    "a:\n  b: 1 # one\n  d: x\n# end\nc: 2\n",
  ],
  "adds a nested map": [
    "a:\n  b: 1\n",
    (y) => y.set(["a", "d"], { run: "r.cwl", in: {}, out: ["o"] }),
    "a:\n  b: 1\n  d:\n    run: r.cwl\n    in: {}\n    out: [o]\n",
  ],
  "adds at the end of a text without a line end": ["a:\n  b: 1", (y) => y.set(["a", "d"], 2), "a:\n  b: 1\n  d: 2"],
  "adds after a block scalar": [
    "a:\n  b: |\n    x\n    y\nc: 1\n",
    (y) => y.set(["a", "d"], 2),
    "a:\n  b: |\n    x\n    y\n  d: 2\nc: 1\n",
  ],
  "adds next to flow values of any indentation": [
    "a: [\n1\n]\nb: {\n  c: 'x\ny'\n}\n",
    (y) => y.set(["d"], 2),
    "a: [\n1\n]\nb: {\n  c: 'x\ny'\n}\nd: 2\n",
  ],
  "fills an empty map": ["a: {}\nc: 1\n", (y) => y.set(["a", "b"], { x: 1 }), "a:\n  b:\n    x: 1\nc: 1\n"],
  "fills an empty value": ["a:\nc: 1\n", (y) => y.set(["a"], { b: "x" }), "a:\n  b: x\nc: 1\n"],
  "turns an empty map into lines": [
    "a: {} # none\nc: 1\n",
    (y) => y.set(["a"], { b: "x" }),
    "a: # none\n  b: x\nc: 1\n",
  ],
  "adds to a flow map": ["a: {b: 1}\n", (y) => y.set(["a", "d"], "x, y"), 'a: {b: 1, d: "x, y"}\n'],
  "adds to JSON": [
    '{\n  "a": {\n    "b": 1\n  }\n}\n',
    (y) => y.set(["a", "d"], [1, "x"]),
    '{\n  "a": {\n    "b": 1,\n    "d": [1,"x"]\n  }\n}\n',
  ],
  "replaces a scalar": ["a: 'x' # c\n", (y) => y.set(["a"], ["y", "z"]), "a: [y, z] # c\n"],
  "replaces a block list with a value": ["a: # c\n  - x\n  - y\nb: 1\n", (y) => y.set(["a"], "z"), "a: z # c\nb: 1\n"],
  "appends to a block list": [
    "a:\n- x # 1\n- y\nb: 1\n",
    (y) => y.append(["a"], { id: "z", type: "File" }),
    "a:\n- x # 1\n- y\n- id: z\n  type: File\nb: 1\n",
  ],
  "appends to a flow list": ["a: [x, y]\n", (y) => y.append(["a"], "z"), "a: [x, y, z]\n"],
  "removes from a block map": [
    "a:\n  b: 1\n  # about c\n  c:\n    d: 1\n  e: 2\n",
    (y) => y.remove(["a", "c"]),
    "a:\n  b: 1\n  # about c\n  e: 2\n",
  ],
  "removes the only entry": ["a:\n  b:\n    c: 1\nd: 1\n", (y) => y.remove(["a", "b"]), "a: {}\nd: 1\n"],
  "removes from a block list": ["a:\n  - x: 1\n    y: 2\n  - z: 1\n", (y) => y.remove(["a", 0]), "a:\n  - z: 1\n"],
  "removes the first entry of an item": ["a:\n  - x: 1\n    y: 2\n", (y) => y.remove(["a", 0, "x"]), "a:\n  - y: 2\n"],
  "removes from a flow list": ["a: [x, y, z]\n", (y) => (y.remove(["a", 0]), y.remove(["a", 1])), "a: [y]\n"],
  "renames a key": ["a:\n  b : {c: 1} # c\n", (y) => y.renameKey(["a", "b"], "new"), "a:\n  new : {c: 1} # c\n"],
  "writes a text of several lines": [
    "a:\n  b: 1\nz: 1\n",
    (y) => y.set(["a", "d"], "x: y\n\n# z"),
    "a:\n  b: 1\n  d: |-\n    x: y\n\n    # z\nz: 1\n",
  ],
  "replaces a scalar with a text of several lines": [
    "a:\n  b: x # c\nz: 1\n",
    (y) => y.set(["a", "b"], "x\ny"),
    "a:\n  b: |- # c\n    x\n    y\nz: 1\n",
  ],
  "replaces a text of several lines": [
    "a:\n  b: |\n    x\n    y\nz: 1\n",
    (y) => y.set(["a", "b"], "p\nq"),
    "a:\n  b: |-\n    p\n    q\nz: 1\n",
  ],
  "replaces a text of several lines with a line": [
    "a:\n  b: |\n    x\n    y\nz: 1\n",
    (y) => y.set(["a", "b"], "p"),
    "a:\n  b: p\nz: 1\n",
  ],
  "removes a text of several lines": [
    "a:\n  b: |\n    x\n\n    y\n  c: 1\nz: 1\n",
    (y) => y.remove(["a", "b"]),
    "a:\n  c: 1\nz: 1\n",
  ],
  "quotes a text of several lines in flow style": [
    "a: {b: 1}\n",
    (y) => y.set(["a", "d"], "x\ny"),
    'a: {b: 1, d: "x\\ny"}\n',
  ],
  "fills an empty value with a text of several lines": [
    "a:\n  b:\n  c: 1\n",
    (y) => y.set(["a", "b"], "x\ny"),
    "a:\n  b: |-\n    x\n    y\n  c: 1\n",
  ],
  "keeps line ends": ["a:\r\n  b: 1\r\n", (y) => y.set(["a", "d"], 2), "a:\r\n  b: 1\r\n  d: 2\r\n"],
};

describe("a YAML text", () => {
  for (const [name, [text, edit, expected]] of Object.entries(CASES))
    it(name, () => assert.equal(edited(text, edit), expected));

  it("is refused if it is not YAML", () => assert.equal(YamlText.parse("a: ["), undefined));
});
