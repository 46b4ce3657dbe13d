import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMemoryFiles } from "../files/testing/memory-files.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { ADD, drive, ECHO, output, tool } from "./testing/small-workflows.ts";

describe("outputs of workflows", () => {
  const cases: Readonly<
    Record<string, readonly [ports: string, CwlObject, steps: string, output: string, expected: unknown, calls: string]>
  > = {
    "no steps": ["a: int", { a: 1 }, "  []", output("int", "outputSource: a"), 1, ""],
    "a chain with a default of the tool": [
      "a: int",
      { a: 1 },
      `  s: {run: ${ADD}, in: {x: a}, out: [o]}\n  t: {run: ${ADD}, in: {x: s/o, y: a}, out: [o]}`,
      output("int", "outputSource: t/o"),
      102,
      "s t",
    ],
    "a default if the source is null": [
      "a: int?",
      {},
      `  s: {run: ${ADD}, in: {x: {source: a, default: 7}, y: {default: 1}}, out: [o]}`,
      output("int", "outputSource: s/o"),
      8,
      "s",
    ],
    "valueFrom sees the inputs before any valueFrom": [
      "a: int",
      { a: 2 },
      `  s: {run: ${ADD}, in: {x: {source: a, valueFrom: $(self + inputs.y)}, y: {source: a, valueFrom: $(inputs.x * 10)}, extra: a}, out: [o]}`,
      output("int", "outputSource: s/o"),
      24,
      "s",
    ],
    "sources merged flat": [
      "a: int, b: 'int[]'",
      { a: 1, b: [2, 3] },
      `  s: {run: ${tool("x: 'int[]'", "int[]", "inputs.x")}, in: {x: {source: [a, b], linkMerge: merge_flattened}}, out: [o]}`,
      output("int[]", "outputSource: s/o"),
      [1, 2, 3],
      "s",
    ],
    "a scatter": [
      "a: 'int[]'",
      { a: [1, 2, 3] },
      `  s: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}`,
      output("int[]", "outputSource: s/o"),
      [101, 102, 103],
      "s[0] s[1] s[2]",
    ],
    "an empty scatter": [
      "a: 'int[]'",
      { a: [] },
      `  s: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}\n  t: {run: ${ADD}, scatter: x, in: {x: s/o}, out: [o]}`,
      output("int[]", "outputSource: t/o"),
      [],
      "",
    ],
    "valueFrom on a scattered input sees the element": [
      "a: 'int[]'",
      { a: [1, 2] },
      `  s: {run: ${ADD}, scatter: x, in: {x: {source: a, valueFrom: $(self + 1)}, y: {valueFrom: $(inputs.x)}}, out: [o]}`,
      output("int[]", "outputSource: s/o"),
      [3, 5],
      "s[0] s[1]",
    ],
    aligned: [
      "a: 'int[]'",
      { a: [1, 2] },
      `  s: {run: ${ADD}, scatter: [x, y], scatterMethod: dotproduct, in: {x: a, y: a}, out: [o]}`,
      output("int[]", "outputSource: s/o"),
      [2, 4],
      "s[0] s[1]",
    ],
    "crossed and nested": [
      "a: 'int[]', b: 'int[]'",
      { a: [1, 2], b: [10, 20] },
      `  s: {run: ${ADD}, scatter: [x, y], scatterMethod: nested_crossproduct, in: {x: a, y: b}, out: [o]}`,
      output("int[][]", "outputSource: s/o"),
      [
        [11, 21],
        [12, 22],
      ],
      "s[0,0] s[0,1] s[1,0] s[1,1]",
    ],
    "crossed and flat": [
      "a: 'int[]', b: 'int[]'",
      { a: [1, 2], b: [10, 20] },
      `  s: {run: ${ADD}, scatter: [x, y], scatterMethod: flat_crossproduct, in: {x: a, y: b}, out: [o]}`,
      output("int[]", "outputSource: s/o"),
      [11, 21, 12, 22],
      "s[0,0] s[0,1] s[1,0] s[1,1]",
    ],
    "a step that is skipped": [
      "a: int",
      { a: 1 },
      `  s: {run: ${ECHO}, when: $(inputs.x > 1), in: {x: a}, out: [o]}\n  t: {run: ${ECHO}, when: $(inputs.flag < 2), in: {x: a, flag: a}, out: [o]}`,
      output("Any", "outputSource: [s/o, t/o], pickValue: the_only_non_null"),
      1,
      "t",
    ],
    "jobs of a scatter that are skipped": [
      "a: 'int[]'",
      { a: [1, 2, 3] },
      `  s: {run: ${ECHO}, when: $(inputs.x > 1), scatter: x, in: {x: a}, out: [o]}`,
      output("Any", "outputSource: s/o"),
      [null, 2, 3],
      "s[1] s[2]",
    ],
    "all_non_null over a scatter": [
      "a: 'int[]'",
      { a: [1, 2, 3] },
      `  s: {run: ${ECHO}, when: $(inputs.x > 1), scatter: x, in: {x: a}, out: [o]}`,
      output("Any", "outputSource: s/o, pickValue: all_non_null"),
      [2, 3],
      "s[1] s[2]",
    ],
    "a scattered workflow in a workflow": [
      "a: 'int[]', b: 'int[]'",
      { a: [1, 2], b: [10, 20] },
      `  outer:\n    scatter: p\n    in: {p: a, q: b}\n    out: [inner_r]\n    run:\n      class: Workflow\n      requirements: [{class: ScatterFeatureRequirement}]\n      inputs: {p: int, q: "int[]", d: {type: int, default: 0}}\n      outputs: {inner_r: {type: "int[]", outputSource: i/o}}\n      steps:\n        i: {run: ${ADD}, scatter: y, in: {x: p, y: q}, out: [o]}`,
      output("int[][]", "outputSource: outer/inner_r"),
      [
        [11, 21],
        [12, 22],
      ],
      "outer[0]/i[0] outer[0]/i[1] outer[1]/i[0] outer[1]/i[1]",
    ],
  };
  for (const [name, [ports, inputs, steps, output, expected, calls]] of Object.entries(cases))
    test(name, async () => {
      const { ended, failures, calls: found } = await drive([ports, output, steps], inputs);
      assert.deepEqual(failures, []);
      assert.deepEqual(ended, { status: "success", outputs: { r: expected } });
      assert.equal(found.map(({ id }) => id).join(" "), calls);
    });

  test("step inputs can load contents and listings", async () => {
    const files = createMemoryFiles({ "/d/a.txt": "hello", "/d/f/x": "" });
    const step = `  s: {run: ${tool("f: File, d: Directory", "string", "inputs.f.contents + inputs.d.listing.length")}, in: {f: {source: f, valueFrom: '$({"class": "File", basename: "l", contents: self.contents})', loadContents: true}, d: {source: d, loadListing: shallow_listing, valueFrom: '$({"class": "Directory", basename: "l", listing: self.listing})'}}, out: [o]}`;
    const inputs = {
      f: { class: "File", location: "file:///d/a.txt" },
      d: { class: "Directory", location: "file:///d/f" },
    } as const;
    const listed = await drive(
      [
        "f: File, d: Directory",
        output("string", "outputSource: s/o"),
        step.replace("d: Directory", "d: {type: Directory, loadListing: shallow_listing}"),
      ],
      inputs,
      { files },
    );
    assert.deepEqual(listed.ended, { status: "success", outputs: { r: "hello1" } });
  });
});
