import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { foldPublished } from "./fold-published.ts";

const written: FileOccurrence = {
  ...{ run_id: "r1", run_url: "", run_name: "Cohort", process: "cohort", job_id: "mask-0", step: "mask" },
  ...{ sample_id: "sub-01", tool: null, direction: "output", class: "File", port: "mask", place: "", name: "a.nii" },
  ...{ checksum: "sha1$aa", sha256: null, size: 1, time: "2026-11-21T02:02:14.617Z", source_job_id: null },
  ...{ url: "/api/runs/r1/jobs/mask-0/files/a.nii", origin: null, read_by_runs: 0 },
};
const published: FileOccurrence = { ...written, job_id: null, port: "masks", source_job_id: "mask-0", url: "/a" };

describe("foldPublished", () => {
  it("lists an output once, with the place of its job, wherever the two are listed", () => {
    assert.deepEqual(foldPublished([published, written]), [[published, written]]);
    assert.deepEqual(foldPublished([written, published]), [[published, written]]);
    const [other, ownOther] = [
      { ...published, name: "b.nii" },
      { ...written, name: "b.nii" },
    ];
    assert.deepEqual(foldPublished([other, published, ownOther, written]), [
      [other, ownOther],
      [published, written],
    ]);
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
    const [port, again] = [
      { ...published, port: "copies" },
      { ...written, port: "copy" },
    ];
    assert.deepEqual(foldPublished([published, port, written, again]), [
      [published, written],
      [port, again],
    ]);
    assert.deepEqual(foldPublished([published, port, written]), [[published, written], [port]]);
  });
});
