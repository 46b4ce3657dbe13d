import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { appendFile, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { ScriptedExecutor, type Program } from "../src/testing/scripted-executor.ts";
import { CachedRuns, caller } from "./cached-runs.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";

/** Writes its input in capitals, the note, and its parameter. */
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Shout
requirements:
  InitialWorkDirRequirement: { listing: [{ class: File, location: note.txt }] }
  EnvVarRequirement: { envDef: { GREETING: hello } }
hints:
  ResourceRequirement: { coresMin: 1, ramMin: 64 }
baseCommand: [shout, --loud]
inputs:
  text: { type: File, secondaryFiles: [{ pattern: .idx, required: false }], inputBinding: { position: 1 } }
  times: { type: int, default: 1, inputBinding: { position: 2 } }
  folder: Directory?
outputs:
  loud: { type: stdout }
stdout: loud.txt
`;
const TOOL_PATH = "catalog/tools/shout/1.0.0/shout.cwl";
const PROGRAMS: Readonly<Record<string, Program>> = {
  shout({ launch, args: [, text = "", times = ""], read, print, warn }) {
    print(`${read(text).toUpperCase()}${read("note.txt")}${launch.env["GREETING"]} ${times}\n`);
    warn("told\n");
  },
  make({ write, launch }) {
    write("made/deep/a.txt", "a\n");
    symlinkSync("deep/a.txt", join(launch.workdir, "made/link"));
  },
};
const FILES = {
  [TOOL_PATH]: TOOL,
  "catalog/tools/shout/1.0.0/note.txt": "note\n",
  "data/one.txt": "one\n",
  "data/other/one.txt": "one\n",
  "data/two.txt": "two\n",
  "data/kept/a.txt": "a\n",
  "data/kept/deep/b.txt": "b\n",
};
const open = (t: TestContext, files: Readonly<Record<string, string>> = FILES) =>
  CachedRuns.open(t, files, { executor: new ScriptedExecutor(PROGRAMS) });
const file = (name: string, more: object = {}) => ({ class: "File", location: `weft-data://data/${name}`, ...more });
const folder = (name: string) => ({ class: "Directory", location: `weft-data://data/${name}` });
const REQUEST: CreateRun = { tool: "shout", inputs: { text: file("one.txt"), folder: folder("kept") } };
const withInputs = (inputs: object): CreateRun => ({ ...REQUEST, inputs: { ...REQUEST.inputs, ...inputs } });

async function outputText(runs: CachedRuns, job: Job): Promise<string> {
  return readFile(join(runs.folderOf(job), "out", "loud.txt"), "utf8");
}

describe("a job that is equal to an earlier one", () => {
  it("reuses its result, its logs and its command, and runs no program", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    const before = runs.job(first);
    assert.deepEqual([before.cache?.decision, before.cache?.reason], ["miss", "this tool has not run before"]);

    const second = await runs.run(REQUEST);
    const job = runs.job(second);
    assert.deepEqual([second.state, second.job_counts, second.progress.jobs_cached], ["COMPLETE", { COMPLETE: 1 }, 1]);
    assert.deepEqual([job.cached, job.cache?.decision], [true, "hit"]);
    assert.deepEqual([job.cache?.job?.run_id, job.cache?.job?.job_id], [first.run_id, before.job_id]);
    assert.deepEqual([job.exit_code, job.backend.kind, job.attempts.length], [0, "engine", 1]);
    assert.deepEqual(job.command?.argv, before.command?.argv);
    assert.equal(await outputText(runs, job), "ONE\nnote\nhello 1\n");
    const log = await runs.engine.files.jobLog(caller, { runId: second.run_id, jobId: job.job_id, stream: "stderr" });
    assert.equal(await readFile(log.path, "utf8"), "told\n");
    assert.equal(second.step_counts[0]?.jobs_cached, 1);
    const { bytes } = await provenanceOf(runs.engine).provJson(caller, second.run_id);
    const { activity }: { activity: Record<string, object> } = JSON.parse(bytes.toString());
    assert.deepEqual(Object.values(activity[`run:${second.run_id}#job/${job.job_id}`] ?? {}).at(-1), {
      $: `run:${first.run_id}#job/${before.job_id}`,
      type: "prov:QUALIFIED_NAME",
    });
    const types = runs.engine.events.page(caller, { runId: second.run_id }).events.map(({ type }) => type);
    assert.ok(!types.includes("job.running") && !types.includes("job.exited"), types.join());
  });

  it("records the checksums of its files, like a job that ran", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    const second = await runs.run(REQUEST);
    assert.equal(runs.job(second).cached, true);
    const outputsOf = async (runId: string) => {
      const { files } = await runsOf(runs.engine).findFiles(caller, { run: runId, direction: "output" });
      return files.map(({ job_id, name, checksum, sha256 }) => ({ job_id, name, checksum, sha256 }));
    };
    const outputs = await outputsOf(second.run_id);
    assert.match(outputs.find(({ job_id }) => job_id !== null)?.sha256 ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual(outputs, await outputsOf(first.run_id));
  });

  it("has its own files, so nothing is missing when the earlier run is gone", async (t) => {
    const runs = await open(t);
    const first = await runs.run(REQUEST);
    await runs.run(REQUEST);
    await rm(join(runs.root, "state", "runs", first.run_id), { recursive: true });
    const third = await runs.run(REQUEST);
    assert.equal(runs.job(third).cached, true);
    assert.equal(await outputText(runs, runs.job(third)), "ONE\nnote\nhello 1\n");
  });

  it("is found after a restart of the server", async (t) => {
    const runs = await open(t);
    await runs.run(REQUEST);
    await runs.restart();
    assert.equal(runs.job(await runs.run(REQUEST)).cached, true);
  });

  const same: readonly (readonly [string, CreateRun])[] = [
    ["the file has another location", withInputs({ text: file("other/one.txt") })],
    ["a default is given explicitly", withInputs({ times: 1 })],
    ["the run has another name and other tags", { ...REQUEST, name: "again", tags: { a: "b" } }],
  ];
  for (const [name, request] of same)
    it(`is one if ${name}`, async (t) => {
      const runs = await open(t);
      await runs.run(REQUEST);
      assert.equal(runs.job(await runs.run(request)).cached, true);
    });

  it("runs if the earlier job has not ended, and the next job reuses the result of either", async (t) => {
    const runs = await open(t);
    const ids = await Promise.all([runs.start(REQUEST), runs.start(REQUEST)]);
    for (const id of ids) assert.equal((await runs.ended(id)).state, "COMPLETE");
    assert.equal(runs.job(await runs.run(REQUEST)).cached, true);
  });
});

describe("a miss names the changes since the last job for that element", () => {
  const edit = (from: string, to: string) => (runs: CachedRuns) => runs.write(TOOL_PATH, TOOL.replace(from, to));
  const write = (path: string, text: string) => (runs: CachedRuns) => runs.write(path, text);
  const nothing = () => {};
  const cases: Readonly<Record<string, readonly [(runs: CachedRuns) => unknown, CreateRun, readonly string[]]>> = {
    "a file's content": [write("data/one.txt", "uno\n"), REQUEST, ["input text: one.txt changed"]],
    "another file": [nothing, withInputs({ text: file("two.txt") }), ["input text: one.txt → two.txt"]],
    "a parameter": [nothing, withInputs({ times: 2 }), ["input times: 1 → 2"]],
    "a secondary file": [
      write("data/one.txt.idx", "index\n"),
      REQUEST,
      ["input text: one.txt: its secondary file one.txt.idx is new"],
    ],
    "the format of a file": [
      nothing,
      withInputs({ text: file("one.txt", { format: "http://x/y" }) }),
      ["input text: one.txt has another format (none → http://x/y)"],
    ],
    "a file deep in a folder": [write("data/kept/deep/b.txt", "c\n"), REQUEST, ["input folder: kept changed"]],
    "a name in a folder": [write("data/kept/new.txt", ""), REQUEST, ["input folder: kept changed"]],
    "a literal file": [
      nothing,
      withInputs({ text: { class: "File", basename: "one.txt", contents: "one\n" } }),
      ["input text: one.txt changed"],
    ],
    "the command": [edit("--loud", "--louder"), REQUEST, ["tool shout changed under version 1.0.0"]],
    "a requirement": [edit("GREETING: hello", "GREETING: hi"), REQUEST, ["requirement EnvVarRequirement changed"]],
    "the tool's resources": [edit("ramMin: 64", "ramMin: 65"), REQUEST, ["ram 64 MiB → 65 MiB"]],
    "a file next to the document": [
      write("catalog/tools/shout/1.0.0/note.txt", "other\n"),
      REQUEST,
      ["file note.txt changed"],
    ],
    "the tool's version": [
      (runs) =>
        runs.write(
          "catalog/tools/shout/1.1.0/shout.cwl",
          TOOL.replace("--loud", "--louder").replace("note.txt }", "../1.0.0/note.txt }"),
        ),
      REQUEST,
      ["tool version 1.0.0 → 1.1.0"],
    ],
  };
  for (const [name, [change, request, expected]] of Object.entries(cases))
    it(`names ${name}`, async (t) => {
      const runs = await open(t);
      const first = await runs.run(REQUEST);
      await runs.close();
      await change(runs);
      await runs.restart();
      const run = await runs.run(request);
      assert.equal(run.state, "COMPLETE", JSON.stringify(run.state_reason));
      const { cache, cached } = runs.job(run);
      assert.deepEqual([cached, cache?.decision, cache?.diff.map(({ message }) => message)], [false, "miss", expected]);
      assert.deepEqual([cache?.reason, cache?.job?.run_id], [expected.join("; "), first.run_id]);
      // The next job reuses its result.
      assert.equal(runs.job(await runs.run(request)).cached, true);
    });

  it("names the server's PATH, because it determines the programs", async (t) => {
    const runs = await open(t);
    await runs.run(REQUEST);
    const path = process.env["PATH"] ?? "";
    process.env["PATH"] = `${path}:/nowhere`;
    t.after(() => (process.env["PATH"] = path));
    assert.equal(runs.job(await runs.run(REQUEST)).cache?.diff[0]?.component, "environment");
  });
});

describe("a result that has changed", () => {
  type Damage = (output: string) => Promise<void>;
  const cases: readonly (readonly [string, Damage, string])[] = [
    ["deleted", (output) => rm(output), "no longer exists on disk"],
    ["longer", (output) => appendFile(output, "x"), "has changed on disk"],
    ["shorter", (output) => truncate(output, 2), "has changed on disk"],
    [
      "of the same length and time, but of other content",
      async (output) => {
        const { atime, mtime } = await stat(output);
        const text = await readFile(output, "utf8");
        await writeFile(output, text.replace("ONE", "TWO"));
        await utimes(output, atime, mtime);
      },
      "has changed on disk",
    ],
  ];
  for (const [name, damage, expected] of cases)
    it(`is never reused: ${name}`, async (t) => {
      const runs = await open(t);
      const first = await runs.run(REQUEST);
      await damage(join(runs.folderOf(runs.job(first)), "out", "loud.txt"));
      const second = await runs.run(REQUEST);
      const { cache, cached } = runs.job(second);
      const message = `its output loud (loud.txt) ${expected}`;
      assert.deepEqual([cached, cache?.reason], [false, `an equal job has run, but ${message}`]);
      assert.deepEqual(cache?.diff, [{ component: "output", name: "loud", message }]);
      assert.equal(await outputText(runs, runs.job(second)), "ONE\nnote\nhello 1\n");
      // The newer, sound one is found first.
      assert.equal(runs.job(await runs.run(REQUEST)).cached, true);
    });

  it("is never reused: a file in an output folder", async (t) => {
    const tool = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: make
inputs: []
outputs: { made: { type: Directory, outputBinding: { glob: made } } }
`;
    const runs = await open(t, { "catalog/tools/make/1.0.0/make.cwl": tool });
    const first = await runs.run({ tool: "make" });
    const second = await runs.run({ tool: "make" });
    assert.equal(runs.job(second).cached, true);
    const made = join(runs.folderOf(runs.job(second)), "out", "made");
    assert.equal(await readFile(join(made, "link"), "utf8"), "a\n");
    for (const run of [first, second]) await appendFile(join(runs.folderOf(runs.job(run)), "out/made/deep/a.txt"), "b");
    const third = runs.job(await runs.run({ tool: "make" }));
    assert.equal(third.cache?.reason, "an equal job has run, but its output made (made) has changed on disk");
  });
});
