import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareFigures, documentFigures, figuresOf, routeFaults } from "./structure.ts";

const SOURCES = new Map([
  ["engine/src/jobs/run/a.ts", 'import { b } from "../end/b.ts";\nimport { c } from "../../sink/c.ts";\n'],
  ["engine/src/jobs/end/b.ts", 'import type { A } from "../run/a.ts";\n'],
  ["engine/src/sink/c.ts", "export const c = 1;\n"],
  ["engine/src/sink/c.test.ts", "\n\n\n"],
]);
const ONCE = "sources that exactly one other imports";
const SHALLOW = "folders in import cycles, 1 deep";
const DEEP = "folders in import cycles, 2 deep";

describe("figures about the structure", () => {
  const before = figuresOf(SOURCES);

  it("counts the lines of sources, without tests", () => {
    assert.equal(before["source lines of engine"], 4);
    assert.equal(before["source lines of web"], 0);
  });
  it("counts sources that exactly one other imports", () => assert.equal(before[ONCE], 3));

  it("counts functions over 40 lines", () => {
    const body = "  const a = 1;\n".repeat(41);
    const longer = new Map([...SOURCES, ["engine/src/jobs/run/long.ts", `export function long() {\n${body}}\n`]]);
    assert.equal(figuresOf(longer)["functions over 40 lines, tables aside"], 1);
  });

  it("finds a cycle of folders below one folder only at depth two", () => {
    const cyclic = new Map([...SOURCES, ["engine/src/jobs/end/b.ts", 'import { a } from "../run/a.ts";\n']]);
    const { faults } = compareFigures(before, figuresOf(cyclic));
    assert.deepEqual(faults, [`${DEEP}: 0 → 2`]);
  });

  it("finds a cycle of folders at both depths", () => {
    const cyclic = new Map([...SOURCES, ["engine/src/sink/c.ts", 'import { a } from "../jobs/run/a.ts";\n']]);
    assert.deepEqual(compareFigures(before, figuresOf(cyclic)).faults, [`${SHALLOW}: 0 → 2`, `${DEEP}: 0 → 2`]);
  });

  it("reports an additional line as a fault, and a removed line as a note", () => {
    const longer = new Map([...SOURCES, ["engine/src/sink/c.ts", "export const c = 1;\n\n"]]);
    assert.deepEqual(compareFigures(before, figuresOf(longer)), {
      faults: ["source lines of engine: 4 → 5"],
      notes: [],
    });
    assert.deepEqual(compareFigures(figuresOf(longer), before), {
      faults: [],
      notes: ["source lines of engine: 5 → 4"],
    });
  });

  it("reports a figure that was never recorded as a fault", () =>
    assert.deepEqual(compareFigures({}, { pages: 3 }).faults, ["pages: not recorded → 3"]));
});

describe("figures about documents", () => {
  it("count decisions without the archive, lines of the newest version, and words without lines of tables", () => {
    const documents = new Map([
      ["docs/adr/0001-a.md", "# A\n"],
      ["docs/adr/archive/0002-b.md", "# B\n"],
      ["docs/how-to/c.md", "# Cut it\n\n| a | – |\n|---|---|\n| 1 | x-y |\n"],
      ["ARCHITECTURE.md", "# A\n\nb\n\nc\n"],
      ["CONTRIBUTING.md", "a\nb\n"],
      ["CHANGELOG.md", "# Changes\n\n## 2.0.0\n\n- a\n\n## 1.0.0\n\n- b\n"],
    ]);
    assert.deepEqual(Object.values(documentFigures(documents)), [1, 5, 2, 3, 5]);
  });
});

describe("the path of one run in ARCHITECTURE.md", () => {
  const way = (names: readonly string[]) =>
    `# A\n## The path of one run\n${names.map((name) => `\`${name}\``).join("\n")}\n## B\n\`x.ts\``;
  const entered = ["runs/drive/decide.ts", "jobs/bind-job.ts", "jobs/job-events.ts"];

  it("names the modules that a job enters", () => {
    assert.deepEqual(
      routeFaults(way(["runs/begin/start-run.ts", "runs/drive/decide.ts", "jobs/bind-job.ts"]), entered),
      [],
    );
  });

  it("names only modules that exist, every stage, and at most twelve files", () => {
    const names = ["runs/drive/run-driver.ts", ...Array.from({ length: 12 }, (_, at) => `cwl/src/${at}.ts`)];
    assert.deepEqual(routeFaults(way(names), entered), [
      "it names 13 files",
      "no job enters runs/drive/run-driver.ts",
      "it lacks jobs/bind-job.ts",
    ]);
  });
});
