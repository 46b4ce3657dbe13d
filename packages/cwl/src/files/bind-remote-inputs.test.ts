import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTool } from "../command/testing/load-process.ts";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import { inspectInputs } from "./bind-inputs.ts";
import type { FileAccess } from "./file-access.ts";
import { createMemoryFiles } from "./testing/memory-files.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const SIZES: Readonly<Record<string, number>> = {
  "https://h/d/a.bam?v=1": 5,
  "https://h/d/a.bam.bai": 6,
  "data:,abc": 3,
};
const FILES: FileAccess = {
  ...createMemoryFiles({}),
  isRemote: (uri) => /^(?:https|data):/.test(uri),
  stat: async (uri) => {
    const size = SIZES[uri];
    return size === undefined ? undefined : { kind: "file", size };
  },
};

async function bind(type: string, value: { readonly class: "File" | "Directory"; readonly location: string }) {
  const process = await loadTool(`baseCommand: x\noutputs: []\ninputs: {f: ${type}}`);
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({ script: createQuickjsEngine(), requirements, limits: TEST_LIMITS });
  return inspectInputs({ process, values: { f: value }, files: FILES, evaluator, requirements });
}

const INDEXED = "{type: File, secondaryFiles: [.bai]}";
const OPTIONAL = "{type: File, secondaryFiles: [.bai?]}";
const CASES: readonly (readonly [string, string, string, string, readonly string[]])[] = [
  ["a file with its neighbor", INDEXED, "https://h/d/a.bam?v=1", "a.bam 5 + a.bam.bai 6", []],
  ["data, which has no neighbors", OPTIONAL, "data:,abc", "literal-file 3", []],
  ["data without the neighbor that it needs", INDEXED, "data:,abc", "literal-file 3", ["missing-secondary-file"]],
  ["a missing file", "File", "https://h/none", "none undefined", ["missing-file"]],
  ["a scheme that nobody reads", OPTIONAL, "ftp://h/a", "a undefined", ["invalid-file"]],
  ["a folder", "Directory", "https://h/d/", "d undefined", ["invalid-file"]],
];
for (const [name, type, location, expected, codes] of CASES) {
  test(`inspectInputs with ${name} elsewhere`, async () => {
    const { inputs, problems } = await bind(type, { class: type === "Directory" ? "Directory" : "File", location });
    type Shown = { readonly basename: string; readonly size?: number; readonly secondaryFiles?: readonly Shown[] };
    const { basename, size, secondaryFiles = [] } = inputs["f"] as Shown;
    const shown = [`${basename} ${size}`, ...secondaryFiles.map((member) => `${member.basename} ${member.size}`)];
    assert.equal(shown.join(" + "), expected);
    const found = problems.map(({ code }) => code);
    assert.deepEqual(found, codes);
  });
}
