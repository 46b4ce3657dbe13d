import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import { differenceText, explainMiss, type ComparedJob } from "./explain-miss.ts";
import type { KeyParts } from "@weft/shared/events/job-events.ts";

const parts: KeyParts = {
  ...{ v: 1, tool: "t", requirements: { EnvVarRequirement: "e" }, container: "none" },
  resources: { cores: 1, ram: 256, tmpdir: 1024, outdir: 1024 },
  environment: { PATH: "p", platform: "linux x64" },
  files: { "run.sh": "r" },
  inputs: { n: "1" },
};
const tool: JobTool = { id: "smooth", version: "1.1.0", class: "CommandLineTool" };
const job: ComparedJob = { parts, tool, inputs: { n: 1 } };
const having = (change: Partial<KeyParts>): ComparedJob => ({ ...job, parts: { ...parts, ...change } });
const edited = (now: JobTool): ComparedJob => ({ ...having({ tool: "u" }), tool: now });
/** A tool without a name. */
const within = { ...tool, id: null, version: null };

describe("explainMiss", () => {
  const cases: Readonly<Record<string, readonly [ComparedJob, ComparedJob, readonly string[]]>> = {
    nothing: [job, job, []],
    "the version": [job, edited({ ...tool, version: "1.2.0" }), ["tool version 1.1.0 → 1.2.0"]],
    "a version edited": [job, edited(tool), ["tool smooth changed under version 1.1.0"]],
    "another tool": [job, edited({ ...tool, id: "blur" }), ["tool smooth → blur"]],
    "a tool within the document": [{ ...job, tool: within }, edited(within), ["tool changed"]],
    requirements: [
      job,
      having({ requirements: { NetworkAccess: "n" } }),
      ["requirement EnvVarRequirement is gone", "requirement NetworkAccess is new"],
    ],
    "the container, and with it the machine": [
      job,
      having({ container: "sha256:1", environment: {} }),
      ["container none → sha256:1"],
    ],
    resources: [
      job,
      having({ resources: { ...parts.resources, cores: 2, ram: 512 } }),
      ["cores 1 → 2", "ram 256 MiB → 512 MiB"],
    ],
    PATH: [job, having({ environment: { PATH: "q", platform: "linux x64" } }), ["the server's PATH changed"]],
    "the machine": [job, having({ environment: { PATH: "p", platform: "linux arm64" } }), ["the machine differs"]],
    "files of the document": [job, having({ files: { "run.sh": "s" } }), ["file run.sh changed"]],
    inputs: [
      job,
      { ...having({ inputs: { n: "2", m: "3" } }), inputs: { n: 2, m: "x" } },
      ["input n: 1 → 2", 'input m: null → "x"'],
    ],
  };
  for (const [name, [before, now, expected]] of Object.entries(cases))
    it(`reports ${name}`, () =>
      assert.deepEqual(
        explainMiss(now, before).map(({ message }) => message),
        expected,
      ));

  it("names the first three of many differences in one sentence", () => {
    const diff = ["a", "b", "c", "d"].map((message) => ({ component: "input", message }) as const);
    assert.equal(differenceText(diff), "a; b; c; and 1 more");
    assert.equal(differenceText(diff.slice(0, 2)), "a; b");
  });
});
