import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { CachedRuns } from "./cached-runs.ts";
import { columns } from "../src/testing/columns.ts";

const open = (t: TestContext, files: Readonly<Record<string, string>>) =>
  CachedRuns.open(t, files, {
    executor: new ScriptedExecutor({
      date: ({ print }) => print(`${Date.now()}\n`),
      spoil: ({ args: [path = ""] }) => appendFileSync(path, "more\n"),
      make: ({ write }) => write("made.txt", "made\n"),
      change: ({ launch }) => appendFileSync(join(launch.workdir, "made.txt"), "changed\n"),
    }),
  });
const file = (name: string) => ({ class: "File", location: `weft-data://data/${name}` });

describe("the cache", () => {
  const cases: readonly (readonly [string, string, NonNullable<CreateRun["options"]>, string])[] = [
    ["does not serve a tool that opts out", "WorkReuse: { enableReuse: false }", {}, "WorkReuse"],
    ["does not serve a tool whose expression opts out", "WorkReuse: { enableReuse: $(inputs.reuse) }", {}, "WorkReuse"],
    [
      "does not serve a tool that changes its inputs",
      "InplaceUpdateRequirement: { inplaceUpdate: true }",
      {},
      "InplaceUpdate",
    ],
    ["does not serve a run that turns it off", "ShellCommandRequirement: {}", { cache: "off" }, "cache: off"],
  ];
  for (const [name, requirement, options, expected] of cases)
    it(name, async (t) => {
      const tool = `cwlVersion: v1.2
class: CommandLineTool
requirements: { ${requirement} }
baseCommand: date
inputs: { reuse: { type: boolean, default: false } }
outputs: { now: stdout }
`;
      const runs = await open(t, { "catalog/tools/now/1.0.0/now.cwl": tool });
      for (let n = 0; n < 2; n++) {
        const { cache } = runs.job(await runs.run({ tool: "now", options }));
        assert.equal(cache?.decision, "off");
        assert.ok(cache.reason.includes(expected), cache.reason);
      }
    });

  it("does not serve an ExpressionTool, which costs less to evaluate", async (t) => {
    const tool = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: []
outputs: { n: int }
expression: "\${ return {n: 1}; }"
`;
    const runs = await open(t, { "catalog/tools/one/1.0.0/one.cwl": tool });
    const { cache } = runs.job(await runs.run({ tool: "one" }));
    assert.deepEqual([cache?.decision, cache?.reason], ["off", "expressions are always re-evaluated"]);
  });

  it("does not serve a run that refreshes it, but keeps its results", async (t) => {
    const tool = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: date\ninputs: []\noutputs: { now: stdout }\n";
    const runs = await open(t, { "catalog/tools/now/1.0.0/now.cwl": tool });
    await runs.run({ tool: "now" });
    const anew = await runs.run({ tool: "now", options: { cache: "refresh" } });
    assert.deepEqual([runs.job(anew).cache?.decision, runs.job(anew).cached], ["miss", false]);
    assert.equal(runs.job(await runs.run({ tool: "now" })).cache?.job?.run_id, anew.run_id);
  });

  it("keeps no result of a failed job", async (t) => {
    const tool = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'false'\ninputs: []\noutputs: []\n";
    const runs = await open(t, { "catalog/tools/fail/1.0.0/fail.cwl": tool });
    await runs.run({ tool: "fail" });
    const { cache } = runs.job(await runs.run({ tool: "fail" }));
    assert.deepEqual([cache?.decision, cache?.reason], ["miss", "an equal job failed earlier"]);
  });

  it("keeps no result of a job whose input changed while it ran", async (t) => {
    const tool = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: spoil
inputs: { text: { type: File, inputBinding: {} } }
outputs: { log: stdout }
`;
    const runs = await open(t, { "catalog/tools/spoil/1.0.0/spoil.cwl": tool, "data/one.txt": "one\n" });
    const run = await runs.run({ tool: "spoil", inputs: { text: file("one.txt") } });
    assert.equal(run.state, "COMPLETE");
    assert.equal(runs.job(run).cache?.not_kept, "something changed in the meantime: input text: one.txt changed");
    runs.write("data/one.txt", "one\n");
    const again = runs.job(await runs.run({ tool: "spoil", inputs: { text: file("one.txt") } }));
    assert.deepEqual(
      [again.cached, again.cache?.reason.startsWith("an equal job has run, but its result was not kept")],
      [false, true],
    );
  });

  it("keeps no result of a job whose working folder contains a file that an expression names by its location", async (t) => {
    const runs = await open(t, { "data/hidden.txt": "hidden\n" });
    const tool = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  InlineJavascriptRequirement: {}
  InitialWorkDirRequirement:
    listing: '\${ return [{class: "File", location: "file://${join(runs.root, "data", "hidden.txt")}"}]; }'
baseCommand: [cat, hidden.txt]
inputs: []
outputs: { text: stdout }
`;
    runs.write("catalog/tools/peek/1.0.0/peek.cwl", tool);
    await runs.restart();
    const run = await runs.run({ tool: "peek" });
    assert.equal(run.state, "COMPLETE");
    assert.match(runs.job(run).cache?.not_kept ?? "", /hidden\.txt, which an expression names by location/);
    assert.equal(runs.job(await runs.run({ tool: "peek" })).cached, false);
  });
});

describe("a job that changes its inputs in place", () => {
  it("never changes reused results, which belong to the earlier run too", async (t) => {
    const make = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: make
inputs: []
outputs: { out: { type: File, outputBinding: { glob: made.txt } } }
`;
    const change = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  InplaceUpdateRequirement: { inplaceUpdate: true }
  InitialWorkDirRequirement: { listing: [{ entry: $(inputs.text), writable: true }] }
baseCommand: change
inputs: { text: File }
outputs: { out: { type: File, outputBinding: { glob: made.txt } } }
`;
    const network = `cwlVersion: v1.2
class: Workflow
inputs: []
outputs: { out: { type: File, outputSource: change/out } }
steps:
  make: { run: ../../tools/make/1.0.0/make.cwl, in: [], out: [out] }
  change: { run: ../../tools/change/1.0.0/change.cwl, in: { text: make/out }, out: [out] }
`;
    const runs = await open(t, {
      "catalog/tools/make/1.0.0/make.cwl": make,
      "catalog/tools/change/1.0.0/change.cwl": change,
      "catalog/networks/update/update.cwl": network,
    });
    // Only the job of `make` occurs twice: it runs alone first, so that nothing has changed its file.
    const alone = await runs.run({ tool: "make" });
    const run = await runs.run({ network: "update" });
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(columns(runs.jobs(run), "step", "cached"), [
      ["make", true],
      ["change", false],
    ]);
    assert.equal(await readFile(`${runs.folderOf(runs.job(alone))}/out/made.txt`, "utf8"), "made\n");
  });
});
