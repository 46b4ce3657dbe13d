import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { loadTool } from "@weft/cwl/command/testing/load-process.ts";
import { processAtStep } from "@weft/cwl/workflow/process-at-step.ts";
import type { ContainerPlace } from "@weft/shared/records/container-record.ts";
import { Containers } from "../container/containers.ts";
import { FakeEngine } from "../container/testing/fake-engine.ts";
import type { JobRow } from "../journal/rows.ts";
import { openDocumentServices } from "../document/document-services.ts";
import { repeatJob } from "./repeat-job.ts";
import { repeatScript } from "./repeat-script.ts";
import { runScript } from "./run-script.ts";

const root = temporaryFolder();
const services = await openDocumentServices({ version: "test", scratch: join(root, "runs"), jobs: 1, log: () => {} });
after(() => services.close());

const TOOL = `requirements:
  DockerRequirement: { dockerPull: "debian:stable-slim" }
  InitialWorkDirRequirement: { listing: [{ entryname: note.txt, entry: "hi" }, { entryname: own.txt, entry: $(inputs.text), writable: true }] }
  EnvVarRequirement: { envDef: { A: "x y" } }
  ResourceRequirement: { ramMin: 100 }
baseCommand: [cat]
arguments: ["--name=mine"]
stdin: $(inputs.text.path)
inputs: { text: File, other: { type: File, inputBinding: {} } }
outputs: {}`;

/** A script whose container engine is a program that writes down its arguments and says where the mounts lead. */
async function script(kind: ContainerPlace) {
  const containers = new Containers({
    setting: "auto",
    engineOf: (k) => new FakeEngine(k),
    log: () => {},
    now: () => 0,
  });
  const at = processAtStep(await loadTool(TOOL), "");
  assert.ok(at !== undefined);
  const folder = join(root, "runs/run/jobs/main@1");
  const command = { argv: [kind, "run"], workdir: join(folder, "out"), env: {} };
  const container = { engine: kind, version: "1", image: "debian:stable-slim", digest: "sha256:1" };
  // Only the fields that the test needs.
  const row = { runId: "run", jobId: "main", step: "", sampleId: null, attempt: 1, command, container } as JobRow;
  const file = (name: string) => ({
    class: "File" as const,
    basename: name,
    location: pathToUri(`/data/${name}`),
  });
  const inputs = { text: file("text.txt"), other: file("other.txt") };
  const all = { ...services, containers };
  const repeatable = await repeatJob({ row, at, inputs }, all);
  assert.ok(typeof repeatable !== "string", String(repeatable));
  const places = new Map([
    [inputs.text.location, "inputs/1/text.txt"],
    [inputs.other.location, "inputs/2/other.txt"],
  ]);
  const bundled = { places, entries: [], renamings: [], missing: [], sizeBytes: 0 };
  return runScript({ ...repeatScript(repeatable, bundled, { services: all, title: "A job" }), exitCode: 0 });
}

async function run(kind: ContainerPlace, name: string): Promise<{ job: string; folder: string; args: string[] }> {
  const folder = join(root, name);
  for (const input of ["1/text.txt", "2/other.txt"]) {
    await mkdir(join(folder, "inputs", input, ".."), { recursive: true });
    await writeFile(join(folder, "inputs", input), `${input}\n`);
  }
  await writeFile(join(folder, "run.sh"), await script(kind));
  const engine = join(folder, "engine");
  await writeFile(engine, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/args"\nenv > "${folder}/env"\ncat\nexit 5\n`);
  await chmod(engine, 0o755);
  const { status, stderr } = spawnSync("sh", ["run.sh"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, WEFT_ENGINE: engine },
  });
  assert.equal(status, 5, stderr);
  const args = (await readFile(join(folder, "args"), "utf8")).split("\n").slice(0, -1);
  return { job: join(folder, "job"), folder, args };
}

test("a docker job gets its original mounts, variables and limits, and nothing from the server", async () => {
  const { job, folder, args } = await run("docker", "with space");
  const { uid, gid } = { uid: process.getuid?.(), gid: process.getgid?.() };
  assert.deepEqual(args.slice(0, 2), ["run", `--user=${uid}:${gid}`]);
  const mounts = args.filter((word) => word.startsWith("--mount="));
  assert.deepEqual(mounts, [
    `--mount=type=bind,source=${job}/out,target=/weft/out`,
    `--mount=type=bind,source=${job}/tmp,target=/tmp`,
    `--mount=type=bind,source=${job}/in,target=/weft/in,readonly`,
    `--mount=type=bind,source=${folder}/inputs/2/other.txt,target=/weft/in/1/other.txt,readonly`,
  ]);
  assert.deepEqual(args.slice(args.indexOf("debian:stable-slim")), [
    "debian:stable-slim",
    "cat",
    "--name=mine",
    "/weft/in/1/other.txt",
  ]);
  for (const word of ["--network=none", "--read-only", "--memory=100m", "--env=A=x y", "--workdir=/weft/out"])
    assert.ok(args.includes(word), word);
  assert.ok(!args.slice(0, args.indexOf("debian:stable-slim")).some((word) => /^--(name|label|pull)/.test(word)));
  assert.equal(await readFile(join(job, "out/note.txt"), "utf8"), "hi");
  assert.equal(await readFile(join(job, "out/own.txt"), "utf8"), "1/text.txt\n");
  assert.equal(await readFile(join(job, "stdout"), "utf8"), "1/text.txt\n", "standard input is the file out here");
});

test("an apptainer job has its variables in the program's own environment, and its image from a registry", async () => {
  const { args, folder } = await run("apptainer", "sif");
  assert.ok(args.includes("docker://debian:stable-slim"));
  assert.ok(args.includes("exec"));
  assert.match(await readFile(join(folder, "env"), "utf8"), /^APPTAINERENV_A=x y$/m);
});

test("a job of a TES server is repeated by docker, in the same image and with the same streams", async () => {
  const { job, args } = await run("tes", "task");
  assert.equal(args[0], "run");
  assert.deepEqual(args.slice(args.indexOf("debian:stable-slim") + 1), ["cat", "--name=mine", "/weft/in/1/other.txt"]);
  assert.equal(await readFile(join(job, "stdout"), "utf8"), "1/text.txt\n");
});

test("a folder that the engine could not mount is refused before anything is created", async () => {
  const folder = join(root, "a,b");
  await mkdir(folder);
  await writeFile(join(folder, "run.sh"), await script("docker"));
  const { status, stderr } = spawnSync("sh", ["run.sh"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /must not contain a colon, comma or quotation mark/);
});
