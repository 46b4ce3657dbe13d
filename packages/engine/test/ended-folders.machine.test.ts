import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { CachedRuns } from "./cached-runs.ts";

/** Every job runs its word. */
const SCATTER = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { words: "string[]" }
outputs: { said: { type: "File[]", outputSource: say/said } }
steps:
  say:
    scatter: word
    in: { word: words }
    out: [said]
    run:
      class: CommandLineTool
      baseCommand: [sh, -c, 'echo "$1"; eval "$1"', say]
      inputs: { word: { type: string, inputBinding: { position: 1 } } }
      stdout: said.txt
      outputs: { said: stdout }
`;

const open = (t: TestContext, jobSandbox: "auto" | "none") =>
  CachedRuns.open(t, { "catalog/networks/say/say.cwl": SCATTER }, { jobs: 1, jobSandbox });

describe("temporary folders of ended jobs", () => {
  for (const sandbox of ["auto", "none"] as const)
    it(`are removed regardless of their content, with the sandbox ${sandbox}`, async (t) => {
      const runs = await open(t, sandbox);
      const words = [":", "touch $TMPDIR/left", "chmod 700 .", "mkdir -p $TMPDIR/a/b; touch $TMPDIR/a/b/c"];
      const run = await runs.run({ network: "say", inputs: { words } });
      assert.equal(run.state, "COMPLETE");
      const entries = await entriesOf(runs, run);
      assert.ok(entries.includes("out") && !entries.includes("tmp"), entries.join(" "));
    });

  it("are not followed through links with which a job replaced them", async (t) => {
    const runs = await open(t, "none");
    runs.write("data/precious.txt", "precious\n");
    const swap = `rmdir $TMPDIR && ln -s ${runs.root}/data $TMPDIR`;
    const run = await runs.run({ network: "say", inputs: { words: [swap, `${swap} `] } });
    assert.deepEqual(await readdir(`${runs.root}/data`), ["precious.txt"]);
    const entries = await entriesOf(runs, run);
    assert.ok(entries.includes("out") && !entries.includes("tmp"), entries.join(" "));
  });
});

/** Everything that the folders of the jobs of a run contain. */
async function entriesOf(runs: CachedRuns, { run_id }: Run): Promise<readonly string[]> {
  const jobs = `${runs.root}/state/runs/${run_id}/jobs`;
  const entries = await Promise.all((await readdir(jobs)).map((job) => readdir(`${jobs}/${job}`)));
  return [...new Set(entries.flat())].toSorted();
}
