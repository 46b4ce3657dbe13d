import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMemoryFiles } from "../files/testing/memory-files.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { ADD, drive, ECHO, output, step, tool } from "./testing/small-workflows.ts";

describe("outputs of workflows", () => {
  const LINK = "outputSource: s/o";
  const LISTS = { a: [1, 2], b: [10, 20] };
  const crossed = (method: string) => step("s", ADD, `scatter: [x, y], scatterMethod: ${method}, in: {x: a, y: b}`);
  const INNER = `{class: Workflow, requirements: [{class: ScatterFeatureRequirement}], inputs: {p: int, q: "int[]", d: {type: int, default: 0}}, outputs: {inner_r: {type: "int[]", outputSource: i/o}}, steps: {i: {run: ${ADD}, scatter: y, in: {x: p, y: q}, out: [o]}}}`;
  const FLAT = tool("x: 'int[]'", "int[]", "inputs.x");
  const BIGGER = "when: $(inputs.x > 1), in: {x: a}";
  type Case = readonly [inputs: CwlObject, steps: string, expected: unknown, calls: string, link?: string];
  const cases: Readonly<Record<string, Case>> = {
    "no steps": [{ a: 1 }, "  []", 1, "", "outputSource: a"],
    "a chain with a default of the tool": [
      { a: 1 },
      `${step("t", ADD, "in: {x: a}")}\n${step("s", ADD, "in: {x: t/o, y: a}")}`,
      102,
      "t s",
    ],
    "a default if the source is null": [
      {},
      step("s", ADD, "in: {x: {source: a, default: 7}, y: {default: 1}}"),
      8,
      "s",
    ],
    "valueFrom sees the inputs before any valueFrom": [
      { a: 2 },
      step(
        "s",
        ADD,
        "in: {x: {source: a, valueFrom: $(self + inputs.y)}, y: {source: a, valueFrom: $(inputs.x * 10)}, extra: a}",
      ),
      24,
      "s",
    ],
    "sources merged flat": [
      { a: 1, b: [2, 3] },
      step("s", FLAT, "in: {x: {source: [a, b], linkMerge: merge_flattened}}"),
      [1, 2, 3],
      "s",
    ],
    "a scatter": [{ a: [1, 2, 3] }, step("s", ADD, "scatter: x, in: {x: a}"), [101, 102, 103], "s[0] s[1] s[2]"],
    "an empty scatter": [
      { a: [] },
      `${step("t", ADD, "scatter: x, in: {x: a}")}\n${step("s", ADD, "scatter: x, in: {x: t/o}")}`,
      [],
      "",
    ],
    "valueFrom on a scattered input sees the element": [
      { a: [1, 2] },
      step("s", ADD, "scatter: x, in: {x: {source: a, valueFrom: $(self + 1)}, y: {valueFrom: $(inputs.x)}}"),
      [3, 5],
      "s[0] s[1]",
    ],
    aligned: [
      { a: [1, 2] },
      step("s", ADD, "scatter: [x, y], scatterMethod: dotproduct, in: {x: a, y: a}"),
      [2, 4],
      "s[0] s[1]",
    ],
    "crossed and nested": [
      LISTS,
      crossed("nested_crossproduct"),
      [
        [11, 21],
        [12, 22],
      ],
      "s[0,0] s[0,1] s[1,0] s[1,1]",
    ],
    "crossed and flat": [LISTS, crossed("flat_crossproduct"), [11, 21, 12, 22], "s[0,0] s[0,1] s[1,0] s[1,1]"],
    "crossed and nested, with an empty inner list": [{ ...LISTS, b: [] }, crossed("nested_crossproduct"), [[], []], ""],
    "crossed and nested, with an empty outer list": [{ ...LISTS, a: [] }, crossed("nested_crossproduct"), [], ""],
    "crossed and flat, with an empty list": [{ ...LISTS, b: [] }, crossed("flat_crossproduct"), [], ""],
    "a list of lists twice": [
      { a: [["x", "y"], ["z"]] },
      step("s", ECHO, "scatter: [x, x], scatterMethod: nested_crossproduct, in: {x: a}"),
      [["x", "y"], ["z"]],
      "s[0,0] s[0,1] s[1,0]",
    ],
    "a step that is skipped": [
      { a: 1 },
      `${step("s", ECHO, BIGGER)}\n${step("t", ECHO, "when: $(inputs.flag < 2), in: {x: a, flag: a}")}`,
      1,
      "t",
      "outputSource: [s/o, t/o], pickValue: the_only_non_null",
    ],
    "jobs of a scatter that are skipped": [
      { a: [1, 2, 3] },
      step("s", ECHO, `scatter: x, ${BIGGER}`),
      [null, 2, 3],
      "s[1] s[2]",
    ],
    "all_non_null over a scatter": [
      { a: [1, 2, 3] },
      step("s", ECHO, `scatter: x, ${BIGGER}`),
      [2, 3],
      "s[1] s[2]",
      "outputSource: s/o, pickValue: all_non_null",
    ],
    "a scattered workflow in a workflow": [
      LISTS,
      step("outer", INNER, "scatter: p, in: {p: a, q: b}").replace("out: [o]", "out: [inner_r]"),
      [
        [11, 21],
        [12, 22],
      ],
      "outer[0]/i[0] outer[0]/i[1] outer[1]/i[0] outer[1]/i[1]",
      "outputSource: outer/inner_r",
    ],
  };
  for (const [name, [inputs, steps, expected, calls, link = LINK]] of Object.entries(cases))
    test(name, async () => {
      const {
        ended,
        failures,
        calls: found,
      } = await drive(['a: "Any?", b: "Any?"', output("Any", link), steps], inputs);
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
