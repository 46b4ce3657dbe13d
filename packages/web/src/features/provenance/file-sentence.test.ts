import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FileOccurrence, FileOrigin } from "@weft/shared/records/lineage-record.ts";
import { fileOccurrence } from "../../testing/file-occurrence.ts";
import { fileSentence } from "./file-sentence.ts";

const origin: FileOrigin = {
  ...{ by: "job", run_id: "r1", run_url: "", run_name: "Cohort", job_id: "threshold-0", step: "threshold" },
  ...{ sample_id: "sub-01", tool: { id: "threshold", version: "2.0.0" }, from: ["sub-01.nii"], from_count: 1 },
};
const made = fileOccurrence({ job_id: null, step: null, port: "masks", origin, read_by_runs: 3 });
const given: FileOccurrence = { ...made, direction: "input", port: "images", origin: null, read_by_runs: 0 };
const read = { ...given, job_id: "measure-0", step: "measure", port: "mask", origin };

const text = (file: FileOccurrence) =>
  fileSentence(file)
    .map((part) => part.text)
    .join("");

describe("fileSentence", () => {
  const cases: Readonly<Record<string, readonly [FileOccurrence, string]>> = {
    "an output": [made, "Made by threshold 2.0.0 in run Cohort from sub-01.nii; its content was read since by 3 runs."],
    "an output that a run reused": [
      { ...made, run_id: "r2", run_name: "Again", read_by_runs: 1 },
      "Made by threshold 2.0.0 in run Cohort from sub-01.nii, and reused in run Again; its content was read since by 1 run.",
    ],
    "an output of a tool within a network, made from many files": [
      { ...made, read_by_runs: 100, origin: { ...origin, tool: null, from: ["a", "b", "c"], from_count: 300 } },
      "Made by step threshold in run Cohort from a, b and 298 or more other files; its content was read since by 100 or more runs.",
    ],
    "an output made from three files": [
      { ...made, read_by_runs: 0, origin: { ...origin, step: "", tool: null, from: ["a", "b", "c"], from_count: 3 } },
      "Made by its tool in run Cohort from a, b and c; not read by any run since.",
    ],
    "an input as output": [
      { ...made, origin: null, read_by_runs: 0 },
      "Passed on by run Cohort from its inputs; not read by any run since.",
    ],
    "an intermediate file": [
      { ...made, job_id: "j", read_by_runs: 0 },
      "Made by threshold 2.0.0 in run Cohort from sub-01.nii.",
    ],
    "an input": [given, "Given to run Cohort as images; no run here made it."],
    "an input that an earlier run made": [
      { ...given, run_name: "Next", origin: { ...origin, by: "content", from_count: 0, from: [] } },
      "Given to run Next as images, the same content as made by threshold 2.0.0 in run Cohort.",
    ],
    "a file that a job read": [
      { ...read, tool: { id: "measure", version: null } },
      "Read by measure in run Cohort as mask, made by threshold 2.0.0 in run Cohort from sub-01.nii.",
    ],
    "a file that a step read": [
      read,
      "Read by step measure in run Cohort as mask, made by threshold 2.0.0 in run Cohort from sub-01.nii.",
    ],
  };
  for (const [name, [file, expected]] of Object.entries(cases))
    it(`describes ${name}`, () => assert.equal(text(file), expected));

  it("links the tool, the run and the readers", () => {
    const links = fileSentence(made).flatMap(({ to }) => to ?? []);
    assert.deepEqual(links, ["/tool/threshold/2.0.0", "/run/r1?tab=prov", "/prov?checksum=sha1%24aa"]);
  });
});
