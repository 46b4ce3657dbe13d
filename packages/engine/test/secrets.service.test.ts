// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { columns } from "../src/testing/columns.ts";

const gates = new Map<string, PromiseWithResolvers<void>>();
const executor = new ScriptedExecutor({
  async login({ launch, args: [password = "", code = "", gate = ""], read, write, warn }) {
    await gates.get(gate)?.promise;
    const seen = `${password}\n${launch.env["PASSWORD"]}\n${read("login.conf")}`;
    write("seen.txt", seen);
    warn(seen);
    write("cwl.output.json", '{"echo": "fine"}');
    return Number(code);
  },
});

const SECRET = "xyzzy-p4ss w0rd'\"$&";

/** A tool that receives its secret as an argument, in a variable and in a file, and writes it to both streams. */
const LOGIN = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  cwltool:Secrets: { secrets: [password] }
  EnvVarRequirement: { envDef: { PASSWORD: $(inputs.password) } }
  InitialWorkDirRequirement:
    listing:
      - { entryname: login.conf, entry: "password=$(inputs.password)\\n" }
baseCommand: login
inputs:
  password: { type: string, inputBinding: { position: 1 } }
  code: { type: string, default: "0", inputBinding: { position: 2 } }
  gate: { type: string, default: "", inputBinding: { position: 3 } }
outputs:
  echo: string
`;

const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: { word: string, code: string, gate: string }
outputs: { echo: { type: string, outputSource: log-in/echo } }
steps:
  log-in:
    run: ../../tools/login/1.0.0/login.cwl
    in: { password: word, code: code, gate: gate }
    out: [echo]
`;

const root = temporaryFolder();
const catalogFolder = join(root, "catalog");
writeFiles(catalogFolder, { "tools/login/1.0.0/login.cwl": LOGIN, "networks/enter/enter.cwl": NETWORK });
const warnings: string[] = [];
const opened: Engine[] = [];
// A test that failed has left its engine open.
afterEach(() => Promise.all(opened.splice(0).map(async (engine) => engine.draining || engine.stop("cancel"))));

async function open(state: string): Promise<Engine> {
  const engine = await openTestEngine(root, {
    executor,
    stateFolder: join(root, state),
    retryDelaysMs: [0],
    log: (_level, message) => warnings.push(message),
  });
  opened.push(engine);
  return engine;
}

const start = (engine: Engine, inputs: Readonly<Record<string, string>>) =>
  startRun(engine, { network: "enter", inputs: { word: SECRET, code: "0", gate: "", ...inputs } });

/** Every file below a folder whose bytes hold a text, relative to it. */
async function filesHolding(folder: string, text: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const found: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if ((await stat(path)).isFile() && (await readFile(path)).includes(text)) found.push(name);
  }
  return found;
}

it("a secret reaches only the job: no record and none of Weft's files contain it", async () => {
  const engine = await open("state");
  const runId = await start(engine, {});
  const run = await endedRun(engine, runId);
  assert.deepEqual([run.state, run.outputs], ["COMPLETE", { echo: "fine" }]);
  assert.match(String(run.inputs?.["word"]), /^\(secret-[0-9a-f-]{36}\)$/);
  const [summary] = engine.runs.jobs(caller, runId, {}).jobs;
  const job = engine.runs.job(caller, runId, summary?.job_id ?? "");
  assert.equal(job.command?.env["PASSWORD"], run.inputs?.["word"]);
  assert.ok(warnings.some((text) => text.includes("command line")));
  await engine.stop("cancel");
  // The text that the tool itself wrote is the tool's.
  const held = await filesHolding(join(root, "state"), SECRET);
  assert.deepEqual(
    held.filter((name) => !/\/(stderr|out\/seen\.txt)$/.test(name)),
    [],
  );
  const seen = held.find((name) => name.endsWith("seen.txt")) ?? "";
  assert.equal(
    await readFile(join(root, "state", seen), "utf8"),
    `${SECRET}\n${SECRET}\npassword=${SECRET}\n`,
    "argument, variable and file",
  );
});

it("messages of a failed job are shown without the secret", async () => {
  const engine = await open("failed");
  const runId = await start(engine, { code: "3" });
  await endedRun(engine, runId);
  const [summary] = engine.runs.jobs(caller, runId, {}).jobs;
  const job = engine.runs.job(caller, runId, summary?.job_id ?? "");
  assert.match(job.stderr_tail ?? "", /^\(secret-.*\)\n\(secret-.*\)\npassword=\(secret-.*\)$/);
  await engine.stop("cancel");
});

it("a run continues in the next server with its secrets, and fails with a reason if they are missing", async () => {
  for (const [state, remove, expected] of [
    ["kept", false, ["COMPLETE", undefined]],
    ["gone", true, ["SYSTEM_ERROR", "the secrets of this run are no longer in the state folder"]],
  ] as const) {
    const gate = `${state} gate`;
    gates.set(gate, Promise.withResolvers());
    const first = await open(state);
    const runId = await start(first, { gate });
    const secrets = join(root, state, "secrets");
    assert.deepEqual(await readdir(secrets), [`${runId}.json`]);
    assert.equal((await stat(join(secrets, `${runId}.json`))).mode & 0o777, 0o600);
    await first.stop("detach");
    if (remove) await rm(secrets, { recursive: true });
    gates.get(gate)?.resolve();
    const second = await open(state);
    const run = await endedRun(second, runId);
    assert.deepEqual([run.state, run.state_reason?.message], expected);
    await second.stop("cancel");
    if (!remove) assert.deepEqual(await readdir(secrets), []);
  }
});

it("the placeholder of another run is refused as a secret, with its position", async () => {
  const engine = await open("state");
  const before = runsOf(engine);
  const refused = await start(engine, { word: "(secret-01234567-89ab-cdef-0123-456789abcdef)" }).catch(
    (error: unknown) => error,
  );
  assert.ok(refused instanceof Refusal);
  assert.deepEqual(columns(refused.errors, "pointer", "code", "hint"), [
    ["/inputs/word", "secret-forgotten", "enter the secret again"],
  ]);
  assert.deepEqual(runsOf(engine), before);
  assert.deepEqual(await readdir(join(root, "state", "secrets")), []);
  await engine.stop("cancel");
});

it("the catalog says which inputs are secret", async () => {
  const engine = await open("state");
  const { inputs } = engine.catalog.getNetwork(caller, "enter", undefined);
  assert.deepEqual(columns(inputs, "id", "secret"), [
    ["word", true],
    ["code", undefined],
    ["gate", undefined],
  ]);
  await engine.stop("cancel");
});

const runsOf = ({ runs }: Engine) => runs.list(caller, {}).runs.length;
