import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { runProgram } from "../src/executor/run-program.ts";
import { jobProcesses } from "../src/executor/kill/job-processes.ts";
import { openEngine } from "../src/app/open-engine.ts";
import { preparePodman, TEST_IMAGE } from "./podman.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";

const why = await preparePodman();
const root = await mkdtemp(join(tmpdir(), "weft-containers-"));
process.env["WEFT_TEST_OF_THE_SERVER"] = "is not for jobs";
const catalogFolder = join(root, "catalog");
after(() => rm(root, { recursive: true }));

/** A registry that takes connections and never says a word. */
const registry = createServer();
await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
after(() => registry.close());
const SILENT = `127.0.0.1:${(registry.address() as AddressInfo).port}/slow:1`; // it listens on a port

const DOCKER = `DockerRequirement: { dockerPull: "${TEST_IMAGE}" }`;
const TOOLS: Readonly<Record<string, string>> = {
  look: `requirements:
  ${DOCKER}
  InlineJavascriptRequirement: {}
  InitialWorkDirRequirement:
    listing: [$(inputs.one), { entryname: /etc/own.conf, entry: "setting" }]
baseCommand: [sh, -c]
arguments:
  - |
    env > env.txt; cat /etc/own.conf one.txt "$1"; ls /weft/in/*; cat >&2
    ln -s "$1" input.txt; ln -s /weft/out/env.txt env-link.txt
    (touch /new 2>/dev/null && echo changed the image) || (touch "$1" 2>/dev/null && echo changed an input) || echo kept
  - x
  - $(inputs.two.path)
stdin: $(inputs.two.path)
inputs: { one: File, two: File }
outputs:
  said: stdout
  heard: stderr
  env: { type: File, outputBinding: { glob: $(runtime.outdir)/env.txt } }
  links: { type: "File[]", outputBinding: { glob: [input.txt, env-link.txt, one.txt] } }
  paths: { type: string, outputBinding: { outputEval: "$(inputs.one.path) $(inputs.two.path) $(runtime.tmpdir)" } }`,
  object: `requirements: { ${DOCKER.replace(" }", ", dockerOutputDirectory: /other }")} }
baseCommand: [sh, -c]
arguments:
  - echo made > /other/made.txt; echo '{"made":{"class":"File","path":"/other/made.txt"}}' > cwl.output.json
inputs: {}
outputs: { made: File }`,
  end: `requirements: { ${DOCKER} }
baseCommand: [sh, -c, 'echo up; [ "$1" = hang ] || exit "$1"; sleep 300 & sleep 300', end]
inputs: { how: { type: string, inputBinding: { position: 1 } } }
outputs: { log: stdout }`,
  peek: `requirements: { ${DOCKER}, InlineJavascriptRequirement: {} }
baseCommand: cat
stdin: $(inputs.path)
inputs: { path: string }
outputs: { said: stdout }`,
  slow: `requirements: { DockerRequirement: { dockerPull: "${SILENT}" } }
baseCommand: "true"
inputs: {}
outputs: {}`,
  absent: `requirements: { ${DOCKER} }
baseCommand: nosuch
inputs: {}
outputs: {}`,
};
for (const [name, text] of Object.entries(TOOLS)) {
  await mkdir(join(catalogFolder, `tools/${name}/1.0.0`), { recursive: true });
  const head = "cwlVersion: v1.2\nclass: CommandLineTool\n";
  await writeFile(join(catalogFolder, `tools/${name}/1.0.0/${name}.cwl`), `${head}${text}\n`);
}
for (const name of ["one", "two"]) await writeFile(join(catalogFolder, `${name}.txt`), `${name}\n`);

const open = (state: string, container: "podman" | "none" = "podman") =>
  openEngine({
    version: "test",
    stateFolder: join(root, state),
    catalogFolder,
    dataFolders: {},
    jobs: undefined,
    maxUploadBytes: 1000,
    container,
    log: () => {},
  });

const containersOf = async (runId: string) =>
  (await runProgram("podman", ["ps", "--all", "--quiet", `--filter=label=weft.run=${runId}`])).stdout;

/** Waits until the command inside has said that it is there. */
async function hanging(engine: Engine, runId: string): Promise<void> {
  await untilRun(engine, runId, ({ job_counts }) => job_counts.RUNNING === 1);
  for (;;) {
    const log = await engine.files
      .jobLog(caller, { runId: runId, jobId: "main", stream: "stdout" })
      .catch(() => undefined);
    if (log !== undefined && (await readFile(log.path, "utf8")) !== "") return;
    await pause(20);
  }
}

/** The program of the container engine, not what runs inside. */
async function clientOf(runId: string): Promise<number> {
  for (const { pid } of jobProcesses({ runId })) {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (words[0] === "podman") return pid;
  }
  return assert.fail("there is no podman of this run");
}

describe("jobs in containers of podman", { skip: why ?? false }, async () => {
  const engine = why === undefined ? await open("state") : undefined;
  after(() => engine?.stop("cancel"));
  assert.ok(engine !== undefined || why !== undefined);
  if (engine === undefined) return;
  const file = (name: string) => ({ class: "File", location: `weft-data://catalog/${name}.txt` });
  const outputText = async (run: Run, value: unknown) => {
    const { location } = value as { readonly location: string };
    return readFile((await engine.files.runFile(caller, run.run_id, location.split("/files/")[1] ?? "")).path, "utf8");
  };

  it("see their files at paths of the container, and nothing that they may change but their own folders", async () => {
    const runId = await startRun(engine, { tool: "look", inputs: { one: file("one"), two: file("two") } });
    const run = await endedRun(engine, runId);
    assert.equal(run.state_reason, null);
    assert.equal(run.state, "COMPLETE");
    const { said, heard, env, links, paths } = run.outputs ?? {};
    assert.equal(paths, "/weft/out/one.txt /weft/in/1/two.txt /tmp");
    assert.match(await outputText(run, said), /^settingone\ntwo\n[^]*\/weft\/in\/1:\ntwo\.txt\n[^]*kept\n$/);
    assert.equal(await outputText(run, heard), "two\n");
    assert.match(await outputText(run, env), /^HOME=\/weft\/out$/m);
    assert.match(await outputText(run, env), /^TMPDIR=\/tmp$/m);
    assert.doesNotMatch(await outputText(run, env), /^WEFT_TEST_OF_THE_SERVER/m);
    const texts = await Promise.all((links as readonly unknown[]).map((link) => outputText(run, link)));
    assert.deepEqual([texts[0], texts[2]], ["two\n", "one\n"]);
  });

  for (const path of ["../../../../../weft.db", "/weft/out/../../../../../weft.db", "/weft/in/../../../../../weft.db"])
    it(`read no file of this machine as standard input (${path})`, async () => {
      const run = await endedRun(engine, await startRun(engine, { tool: "peek", inputs: { path } }));
      assert.deepEqual([run.state_reason?.code, run.outputs], ["STAGE_IN", null]);
    });

  it("have an output folder where the document wants it, and may write the output object", async () => {
    const run = await endedRun(engine, await startRun(engine, { tool: "object", inputs: {} }));
    assert.equal(run.state_reason, null);
    assert.equal(run.state, "COMPLETE");
    assert.equal(await outputText(run, run.outputs?.["made"]), "made\n");
  });

  it("are recorded with the very image, which the provenance names", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "0" } });
    await endedRun(engine, runId);
    const { container, command } = engine.runs.job(caller, runId, "main");
    assert.match(container ?? "", /^localhost\/weft-test-busybox:1 \(sha256:[0-9a-f]{64}, podman \d/);
    assert.equal(command?.argv[0], "podman");
    assert.ok((await engine.provenance.provJson(caller, runId)).bytes.includes(container ?? "?"));
  });

  const failures: readonly [string, CreateRun, string, RegExp][] = [
    ["fail with the command's code", { tool: "end", inputs: { how: "3" } }, "EXECUTOR_ERROR", /exit code 3/],
    [
      "fail with a code that may be the engine's",
      { tool: "end", inputs: { how: "127" } },
      "EXECUTOR_ERROR",
      /code 127/,
    ],
    ["are not started without a program", { tool: "absent", inputs: {} }, "SYSTEM_ERROR", /cannot be run in the image/],
  ];
  for (const [name, body, state, message] of failures) {
    it(name, async () => {
      const run = await endedRun(engine, await startRun(engine, body));
      assert.equal(run.state, state);
      assert.match(run.state_reason?.message ?? "", message);
    });
  }

  it("say which image they wait for, and wait no longer when the run is aborted", async () => {
    const runId = await startRun(engine, { tool: "slow", inputs: {} });
    await untilRun(engine, runId, ({ job_counts }) => job_counts.INITIALIZING === 1);
    const { phase, state_reason: reason } = engine.runs.job(caller, runId, "main");
    assert.deepEqual([phase, reason?.message], ["staging", `Fetching the container image ${SILENT} (podman)`]);
    await engine.runs.abort(caller, runId, 60_000);
    assert.equal(engine.runs.get(caller, runId).state, "CANCELED");
  });

  it("are gone with their container when the run is aborted", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "hang" } });
    await hanging(engine, runId);
    await engine.runs.abort(caller, runId, 60_000);
    assert.equal(engine.runs.get(caller, runId).state, "CANCELED");
    assert.equal(await containersOf(runId), "");
    assert.deepEqual(jobProcesses({ runId }), []);
  });

  it("end with their container when podman itself is killed", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "hang" }, options: { retries: 0 } });
    await hanging(engine, runId);
    process.kill(await clientOf(runId), "SIGKILL");
    const run = await endedRun(engine, runId);
    assert.equal(run.state_reason?.code, "BACKEND_LOST");
    assert.equal(await containersOf(runId), "");
  });

  it("are found by the next server, also when only the container is left", async (t) => {
    const first = await open("restarted");
    t.after(() => first.stop("detach"));
    const runId = await startRun(first, { tool: "end", inputs: { how: "hang" } });
    await hanging(first, runId);
    const client = await clientOf(runId);
    const wrapper = Number((await readFile(`/proc/${client}/stat`, "utf8")).split(") ")[1]?.split(" ")[1]);
    await first.stop("detach");
    // In this order, so that the wrapper cannot write down an end.
    for (const pid of [wrapper, client]) process.kill(pid, "SIGKILL");
    assert.notEqual(await containersOf(runId), "");
    const second = await open("restarted");
    t.after(() => second.stop("cancel"));
    await untilRun(second, runId, () => second.runs.job(caller, runId, "main").attempt === 2);
    await hanging(second, runId);
    assert.equal((await containersOf(runId)).trim().split("\n").length, 1);
    await second.runs.abort(caller, runId, 60_000);
    assert.equal(await containersOf(runId), "");
  });
});

describe("tools that require a container where containers are turned off", async () => {
  const engine = await open("off", "none");
  after(() => engine.stop("cancel"));

  it("run without one, and their page and their job say so", async () => {
    const [issue] = engine.catalog.getTool(caller, "end", undefined).validation.issues;
    assert.equal(issue?.code, "no-container");
    const runId = await startRun(engine, { tool: "end", inputs: { how: "0" } });
    assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    assert.match(engine.runs.job(caller, runId, "main").container ?? "", /^none, although localhost.*--no-container/);
  });
});
