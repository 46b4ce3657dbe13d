import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { caller, CachedRuns } from "./cached-runs.ts";

/** Every job says which folder it got, and what is in its folders; then it runs its word. */
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
      baseCommand: [sh, -c, 'stat -c %i .; stat -c %a .; ls -A . | tr "\\n" " "; ls -A "$TMPDIR" | wc -l; echo "$1"; eval "$1"', say]
      inputs: { word: { type: string, inputBinding: { position: 1 } } }
      stdout: said.txt
      outputs: { said: stdout }
`;

const open = (t: TestContext, jobSandbox: "auto" | "none") =>
  CachedRuns.open(t, { "catalog/networks/say/say.cwl": SCATTER }, { jobs: 1, jobSandbox });
const words = (count: number, more: string) => Array.from({ length: count }, (_, index) => `${more} # ${index}`);

interface Said {
  readonly inode: string | undefined;
  /** Mode of the output directory, its entries, and the number of entries in the temporary directory. */
  readonly found: readonly (string | undefined)[];
}

async function saidIn(runs: CachedRuns, { run_id }: Run, jobs: number): Promise<readonly Said[]> {
  const results = `${runs.root}/state/runs/${run_id}/results`;
  const texts = Array.from({ length: jobs }, (_, index) => readFile(`${results}/say-${index}@1.said.txt`, "utf8"));
  return (await Promise.all(texts)).map((said) => {
    const [inode, ...found] = said.split("\n").slice(0, 3);
    return { inode, found };
  });
}

describe("folders of ended jobs", () => {
  for (const sandbox of ["auto", "none"] as const)
    describe(`with the sandbox ${sandbox}`, () => {
      it("serve other jobs of their run, and are gone at its end", async (t) => {
        const runs = await open(t, sandbox);
        const run = await runs.run({ network: "say", inputs: { words: words(30, ":") } });
        const said = await saidIn(runs, run, 30);
        const inodes = new Set(said.map(({ inode }) => inode));
        assert.ok(inodes.size < 20, `${inodes.size} folders`);
        for (const { found } of said) assert.deepEqual(found, said[0]?.found);
        assert.deepEqual(await readdir(folderOf(runs, run)), []);
      });

      it("are empty for the next job, whatever the last one left", async (t) => {
        const runs = await open(t, sandbox);
        const rude = ["touch $TMPDIR/left", "chmod 700 .", "mkdir -p $TMPDIR/a/b; touch $TMPDIR/a/b/c", "true"];
        const run = await runs.run({ network: "say", inputs: { words: rude.flatMap((word) => words(8, word)) } });
        const said = await saidIn(runs, run, 32);
        for (const { found } of said) assert.deepEqual(found, said[0]?.found);
      });

      it("keep what their job wrote to standard error", async (t) => {
        const runs = await open(t, sandbox);
        const loud = Array.from({ length: 24 }, (_, index) => (index % 3 === 0 ? `echo heard ${index} >&2` : ":"));
        const run = await runs.run({ network: "say", inputs: { words: loud } });
        for (const [index, word] of loud.entries()) {
          const wanted = { runId: run.run_id, jobId: `say-${index}`, stream: "stderr" as const };
          const found = await runs.engine.files.jobLog(caller, wanted);
          const heard = await text((await found.open()).stream());
          assert.equal(heard, word === ":" ? "" : `heard ${index}\n`);
        }
      });
    });

  it("serve no other job while a process of theirs is left", async (t) => {
    const runs = await open(t, "none");
    const left = "sleep 2 >/dev/null 2>&1 &";
    const run = await runs.run({ network: "say", inputs: { words: words(6, left) } });
    const said = await saidIn(runs, run, 6);
    // A process in a folder keeps its inode from being used again.
    assert.equal(new Set(said.map(({ inode }) => inode)).size, said.length);
    for (const { found } of said) assert.deepEqual(found, said[0]?.found);
  });

  it("are not followed through links that a job has put in place of its own", async (t) => {
    const runs = await open(t, "none");
    await runs.write("data/precious.txt", "precious\n");
    const swap = `rmdir $TMPDIR && ln -s ${runs.root}/data $TMPDIR`;
    const run = await runs.run({ network: "say", inputs: { words: words(8, swap) } });
    assert.deepEqual(await readdir(`${runs.root}/data`), ["precious.txt"]);
    assert.deepEqual(await readdir(folderOf(runs, run)), []);
  });
});

function folderOf(runs: CachedRuns, { run_id }: Run): string {
  return `${runs.root}/state/runs/${run_id}/jobs`;
}
