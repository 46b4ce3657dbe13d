// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { Engine } from "../src/port/engine.ts";
import { jobProcesses } from "../src/executor/kill/job-processes.ts";
import { SandboxUnusable } from "../src/sandbox/sandbox-unusable.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";
import { lacks } from "@weft/tooling/lacks.ts";

/** Runs the script that it is given and answers what it said. */
const tool = (version: string, more = "") => `cwlVersion: ${version}
class: CommandLineTool
requirements:
  InlineJavascriptRequirement: {}
${more}
baseCommand: [bash, -c]
inputs:
  script: { type: string, inputBinding: { position: 1 } }
  file: { type: "File?", inputBinding: { position: 2 } }
stdout: said.txt
outputs:
  said: { type: string, outputBinding: { glob: said.txt, loadContents: true, outputEval: "$(self[0].contents)" } }
  made: { type: "File?", outputBinding: { glob: made.txt } }
`;
const CHANGED_IN_PLACE = `cwlVersion: v1.2
class: Workflow
requirements: { InlineJavascriptRequirement: {} }
inputs: {}
outputs: { said: { type: string, outputSource: change/said } }
steps:
  make:
    in: {}
    out: [made]
    run:
      class: CommandLineTool
      baseCommand: [sh, -c, "echo first > made.txt"]
      inputs: {}
      outputs: { made: { type: File, outputBinding: { glob: made.txt } } }
  change:
    in: { file: make/made }
    out: [said]
    run:
      class: CommandLineTool
      requirements:
        InplaceUpdateRequirement: { inplaceUpdate: true }
        InitialWorkDirRequirement: { listing: [{ entry: $(inputs.file), writable: true }] }
      baseCommand: [sh, -c, "echo second >> made.txt"]
      inputs: { file: File }
      outputs: { said: { type: string, outputBinding: { glob: made.txt, loadContents: true, outputEval: "$(self[0].contents)" } } }
`;
const root = temporaryFolder({
  ...toolFiles({
    closed: tool("v1.2"),
    online: tool("v1.2", "  NetworkAccess: { networkAccess: true }"),
    old: tool("v1.0"),
  }),
  "catalog/networks/in-place/1.0.0/in-place.cwl": CHANGED_IN_PLACE,
  "catalog/given.txt": "given\n",
});
const state = join(root, "state");
const open = (jobSandbox: SandboxSetting = "auto", stateFolder = state) =>
  openTestEngine(root, { stateFolder, jobSandbox });

/** The output of a script in a tool's sandbox. */
const said = async (engine: Engine, script: string, { id = "closed", location = "" } = {}) => {
  const file = location === "" ? {} : { file: { class: "File", location } };
  const run = await runToEnd(engine, { tool: id, inputs: { script, ...file } });
  assert.equal(run.state_reason, null);
  return { runId: run.run_id, text: String(run.outputs?.["said"]) };
};

const first = await open();
after(() => first.stop("cancel"));
const { sandbox } = first.runs.job(caller, (await said(first, "true")).runId, "main");
const skip = sandbox?.kind === "none" && (lacks("bwrap") || sandbox.why);

describe("jobs without a container", { skip }, async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  after(() => server.close());
  const { port } = server.address() as AddressInfo; // it listens at a port
  const connect = `(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo alone`;

  it("write only to their own folders, and to a private /tmp and shared memory", async () => {
    const mark = `weft-sandbox-${process.pid}`;
    const places = ["/tmp", "/var/tmp", "/dev/shm", "$TMPDIR", "$PWD", "$HOME"].map((folder) => `${folder}/${mark}`);
    const barred = [join(root, "catalog"), join(root, "beside"), state, join(state, "runs"), "/etc", "$PWD/.."];
    const script = [
      ...places.map((path) => `echo x > "${path}" || exit 3`),
      ...barred.map((path) => `(echo x > "${path}/${mark}") 2>/dev/null && echo "wrote to ${path}"`),
      "echo done",
    ].join("\n");
    assert.equal((await said(first, script)).text, "done\n");
    for (const folder of ["/tmp", "/var/tmp", "/dev/shm"]) assert.equal(existsSync(join(folder, mark)), false);
  });

  it("see only their own run in the state folder", async () => {
    const other = await said(first, "echo secret > made.txt");
    const script = `cd "${state}" && ls -A . runs; cat weft.db runs/${other.runId}/outputs/made.txt 2>/dev/null; ls -A uploads 2>/dev/null; true`;
    const { runId, text } = await said(first, script);
    assert.equal(text, `.:\nruns\n\nruns:\n${runId}\n`);
  });

  it("read their inputs in place, even those from another run", async () => {
    const make = await said(first, "echo other > made.txt");
    const given = await said(first, 'cat "$0"', { location: "weft-data://catalog/given.txt" });
    const location = `weft-data://runs/${make.runId}/outputs/made.txt`;
    const other = await said(first, 'cat "$0"; (echo x >> "$0") 2>/dev/null || echo kept', { location });
    assert.deepEqual([given.text, other.text], ["given\n", "other\nkept\n"]);
  });

  it("may change a file of their run in place if the document permits it", async () => {
    const run = await runToEnd(first, { network: "in-place", inputs: {} });
    assert.deepEqual([run.state_reason, run.outputs?.["said"]], [null, "first\nsecond\n"]);
  });

  it("reach the network only if they request it, or if their CWL version has no such request", async () => {
    const reached = [];
    for (const id of ["closed", "online", "old"]) reached.push((await said(first, connect, { id })).text);
    assert.deepEqual(reached, ["alone\n", "reached\n", "reached\n"]);
  });

  it("see only their own processes, and record the command line of a job without a sandbox", async () => {
    const { runId, text } = await said(first, "ls /proc | grep -c '^[0-9]'");
    assert.ok(Number(text) <= 6, text);
    const job = first.runs.job(caller, runId, "main");
    assert.equal(job.command?.argv[0], "bash");
    assert.equal(job.sandbox?.kind === "bubblewrap" && job.sandbox.network, false);
  });

  it("have a hint about the sandbox in their failure", async () => {
    const run = await runToEnd(first, { tool: "closed", inputs: { script: "touch /etc/weft-sandbox-test" } });
    assert.equal(run.state, "EXECUTOR_ERROR");
    const { state_reason, exit_code } = first.runs.job(caller, run.run_id, "main");
    assert.equal(exit_code, 1);
    assert.match(state_reason?.hint ?? "", /sandbox/);
  });

  it("continue when the server stops, and the next one collects their outputs", async () => {
    const folder = join(root, "resumed");
    const before = await open("auto", folder);
    const script = "echo up >&2; until [ -e go ]; do sleep 0.05; done; echo went on";
    const runId = await startRun(before, { tool: "closed", inputs: { script } });
    await untilRun(before, runId, ({ job_counts }) => job_counts.RUNNING === 1);
    await before.stop("detach");
    assert.ok(jobProcesses({ runId }).length > 0);
    const next = await open("none", folder);
    await writeFile(join(folder, "runs", runId, "jobs/main@1/out/go"), "");
    const run = await endedRun(next, runId);
    assert.deepEqual([run.state_reason, run.outputs?.["said"]], [null, "went on\n"]);
    assert.equal(next.runs.job(caller, runId, "main").sandbox?.kind, "bubblewrap");
    await next.stop("cancel");
  });
});

describe("a missing sandbox", () => {
  it("is mentioned in the record of each job", async () => {
    const engine = await open("none", join(root, "none"));
    const { runId, text } = await said(engine, "echo ran");
    assert.equal(text, "ran\n");
    assert.deepEqual(engine.runs.job(caller, runId, "main").sandbox, {
      kind: "none",
      why: "sandboxes are turned off (--sandbox none)",
    });
    await engine.stop("cancel");
  });

  it("keeps the engine from opening if a sandbox is required, and releases the state folder", async () => {
    const path = process.env["PATH"];
    const folder = join(root, "refused");
    process.env["PATH"] = root;
    try {
      await assert.rejects(open("required", folder), SandboxUnusable);
    } finally {
      process.env["PATH"] = path;
    }
    await (await open("none", folder)).stop("cancel");
  });
});
