import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type {
  FileOccurrence,
  LineageFiles,
  LineageFlow,
  LineageStep,
  RunLineage,
} from "@weft/shared/records/lineage-record.ts";
import { fileOccurrence } from "../../testing/file-occurrence.ts";
import { foldLineage, foldPublished, networkPaths, type FoldedLineage } from "./fold-lineage.ts";

const step = (name: string, jobs: number, failed = 0): LineageStep => {
  const job_counts = {
    ...(jobs > failed ? { COMPLETE: jobs - failed } : {}),
    ...(failed > 0 ? { EXECUTOR_ERROR: failed } : {}),
  };
  return { step: name, label: null, tool: null, job_id: null, job_counts };
};
const files = (of: string | null, port: string, count: number, name = "a.nii"): LineageFiles => {
  return { step: of, port, files: count, name };
};
const flow = (from: string | null, port: string | null, to: string | null, output?: string): LineageFlow => {
  return { from, port, to, output: output ?? null, files: 3 };
};
const lineage: RunLineage = {
  run_id: "r",
  steps: [step("prepare", 3), step("each/smooth", 3), step("each/measure", 3, 1), step("report", 1), step("never", 0)],
  files: [
    files(null, "images", 3),
    files("prepare", "made", 3),
    files("each/smooth", "smoothed", 3),
    files("each/measure", "table", 2),
    files("report", "page", 1, "report.html"),
  ],
  flows: [
    flow(null, "images", "prepare"),
    flow(null, null, "prepare"),
    flow("prepare", "made", "each/smooth"),
    flow("each/smooth", "smoothed", "each/measure"),
    flow("prepare", "made", "each/measure"),
    flow("each/measure", "table", "report"),
    flow("report", "page", null, "overview"),
  ],
  runs: [],
  links: [],
};

const edgesOf = ({ edges }: FoldedLineage) => edges.map(({ from, to }) => `${from} → ${to}`);

describe("foldLineage", () => {
  it("shows a nested network as one node with the jobs and failures of all its steps, without the files within", () => {
    const folded = foldLineage(lineage, new Set());
    const described = folded.nodes.map(({ kind, label, detail, count, failed, outputs }) =>
      [kind, label, detail, count, failed, ...outputs].join(" | "),
    );
    assert.deepEqual(described, [
      "files | images | 3 files, such as a.nii | 3 | 0",
      "files | made | 3 files, such as a.nii | 3 | 0",
      "files | table | 2 files, such as a.nii | 2 | 0",
      "files | report.html | page | 1 | 0 | overview",
      "jobs | prepare |  | 3 | 0",
      "network | each | 2 steps within | 6 | 1",
      "jobs | report |  | 1 | 0",
    ]);
    assert.deepEqual(edgesOf(folded).toSorted(), [
      "files:each/measure:table → jobs:report",
      "files:prepare:made → jobs:each",
      "input:images → jobs:prepare",
      "jobs:each → files:each/measure:table",
      "jobs:prepare → files:prepare:made",
      "jobs:report → files:report:page",
    ]);
  });

  it("shows the steps of a network that is open, and the files between them", () => {
    const open = networkPaths(lineage);
    assert.deepEqual([...open], ["each"]);
    const folded = foldLineage(lineage, open);
    assert.ok(folded.nodes.some(({ id }) => id === "files:each/smooth:smoothed"));
    assert.ok(edgesOf(folded).includes("files:each/smooth:smoothed → jobs:each/measure"));
    assert.ok(edgesOf(folded).includes("files:prepare:made → jobs:each/measure"));
  });

  it("names the step of a single tool after the tool", () => {
    const single = { steps: [step("", 1)], files: [files("", "made", 1)], flows: [flow("", "made", null, "made")] };
    const { nodes, edges } = foldLineage({ ...lineage, ...single }, new Set());
    const labels = nodes.map(({ label }) => label);
    assert.deepEqual(labels, ["a.nii", "the tool"]);
    assert.equal(edges.length, 1);
  });
});

const written = fileOccurrence();
const published = { ...written, job_id: null, port: "masks", source_job_id: "mask-0", url: "/published" };

describe("foldPublished", () => {
  it("lists an output once, with the place of its job, wherever the two are listed", () => {
    assert.deepEqual(foldPublished([published, written]), [[published, written]]);
    assert.deepEqual(foldPublished([written, published]), [[published, written]]);
    const other = { ...published, name: "b.nii" };
    const ownOther = { ...written, name: "b.nii" };
    const folded = foldPublished([other, published, ownOther, written]);
    assert.deepEqual(folded.flat(), [other, ownOther, published, written]);
    assert.equal(folded.length, 2);
  });

  const apart: Readonly<Record<string, readonly [FileOccurrence, FileOccurrence]>> = {
    "another content": [{ ...published, checksum: "sha1$bb" }, written],
    "an unknown content": [
      { ...published, checksum: null },
      { ...written, checksum: null },
    ],
    "another name": [{ ...published, name: "a_2.nii" }, written],
    "another job": [published, { ...written, job_id: "mask-1" }],
    "another run": [published, { ...written, run_id: "r2" }],
    "an input of the job": [published, { ...written, direction: "input" }],
    "an output that no job wrote": [{ ...published, source_job_id: null }, written],
    "a second output of the same job": [written, { ...written, port: "copy" }],
  };
  for (const [name, files] of Object.entries(apart))
    it(`lists ${name} by itself`, () => assert.deepEqual(foldPublished(files), [[files[0]], [files[1]]]));

  it("gives each output its own file of the job", () => {
    const port = { ...published, port: "copies" };
    const again = { ...written, port: "copy" };
    const folded = foldPublished([published, port, written, again]);
    assert.deepEqual(folded.flat(), [published, written, port, again]);
    assert.equal(folded.length, 2);
    assert.deepEqual(foldPublished([published, port, written]), [[published, written], [port]]);
  });
});
