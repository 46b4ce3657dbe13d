import assert from "node:assert/strict";
import { test } from "node:test";
import { loadWorkflow } from "@weft/cwl/command/testing/load-process.ts";
import { checkSinks } from "./check-sinks.ts";
import type { SampleNames } from "./derivative/sample-sources.ts";
import { columns } from "../testing/columns.ts";

const process = await loadWorkflow(`inputs: {list: "File[]", one: File, n: int}
outputs:
  all: {type: "File[]", outputSource: list}
  single: {type: File?, outputSource: one}
  number: {type: int, outputSource: n}
steps: {}`);

const CASES: Readonly<
  Record<string, readonly [Record<string, string>, SampleNames, readonly (readonly [string, string])[]]>
> = {
  "a list by sample and name": [{ all: "vfs://r/{sample_id}/{basename}" }, { list: ["a", "b"] }, []],
  "names of samples that are known only later": [{ all: "vfs://r/{sample_id}/{basename}" }, {}, []],
  "a single output of a run about one sample": [
    { single: "vfs://r/{sample_id}.txt" },
    { one: ["s1"], list: ["s1"] },
    [],
  ],
  "a name that is not an output": [{ "a/b": "vfs://r/{basename}" }, {}, [["/sink_data/a~1b", "unknown-output"]]],
  "an output without files": [{ number: "vfs://r/{basename}" }, {}, [["/sink_data/number", "no-files"]]],
  "a template that is wrong": [{ all: "vfs://r/{name}" }, {}, [["/sink_data/all", "invalid-template"]]],
  "a root that is not configured": [{ all: "vfs://etc/{basename}" }, {}, [["/sink_data/all", "unknown-root"]]],
  "one place for a list": [{ all: "vfs://r/{run_id}.txt" }, {}, [["/sink_data/all", "one-place"]]],
  "a sample of a single output of many": [
    { single: "vfs://r/{sample_id}" },
    { list: ["a", "b"] },
    [["/sink_data/single", "no-sample"]],
  ],
  "an index of no list": [{ single: "vfs://r/{index}" }, {}, [["/sink_data/single", "no-index"]]],
  "a sample that leads elsewhere": [
    { all: "vfs://r/{sample_id}/x" },
    { list: ["..", "b"] },
    [["/sink_data/all", "invalid-sample"]],
  ],
  "several at once": [
    { all: "x", nothing: "y" },
    {},
    [
      ["/sink_data/all", "invalid-template"],
      ["/sink_data/nothing", "unknown-output"],
    ],
  ],
};
for (const [name, [sinks, samples, expected]] of Object.entries(CASES))
  test(`checks ${name}: ${expected.length === 0 ? "accepted" : "refused"}`, () => {
    const problems = checkSinks(sinks, { process, samples, roots: ["r"], sources: new Map() });
    assert.deepEqual(columns(problems, "pointer", "code"), expected);
  });
