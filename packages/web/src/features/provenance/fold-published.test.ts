import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { fileOccurrence } from "../../testing/file-occurrence.ts";
import { foldPublished } from "./fold-published.ts";

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
