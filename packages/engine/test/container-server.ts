import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { runProgram } from "../src/executor/run-program.ts";
import { jobProcesses } from "../src/executor/kill/job-processes.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";
import { preparePodman, TEST_IMAGE } from "./podman.ts";
import { caller, untilRun } from "../src/testing/drive-runs.ts";
import { until } from "../src/testing/until.ts";

// Shared set-up of the tests of servers whose jobs run in containers of podman.

/** Why podman does not work here; undefined if it does. */
export const why = await preparePodman();
process.env["WEFT_TEST_OF_THE_SERVER"] = "is not for jobs";

/** A registry that takes connections and never says a word. */
const registry = createServer();
await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
after(() => registry.close());
export const SILENT = `127.0.0.1:${(registry.address() as AddressInfo).port}/slow:1`; // it listens on a port

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
const HEAD = "cwlVersion: v1.2\nclass: CommandLineTool\n";
const root = temporaryFolder({
  ...toolFiles(Object.fromEntries(Object.entries(TOOLS).map(([name, text]) => [name, `${HEAD}${text}\n`]))),
  ...{ "catalog/one.txt": "one\n", "catalog/two.txt": "two\n" },
});

export const open = (state: string, container: "podman" | "none" = "podman") =>
  openTestEngine(root, { stateFolder: join(root, state), container });

export const containersOf = async (runId: string) =>
  (await runProgram("podman", ["ps", "--all", "--quiet", `--filter=label=weft.run=${runId}`])).stdout;

/** Waits until the command inside has said that it is there. */
export async function hanging(engine: Engine, runId: string): Promise<void> {
  await untilRun(engine, runId, ({ job_counts }) => job_counts.RUNNING === 1);
  await until(async () => {
    const log = await engine.files.jobLog(caller, { runId, jobId: "main", stream: "stdout" }).catch(() => undefined);
    return log !== undefined && (await readFile(log.path, "utf8")) !== "";
  });
}

/** The program of the container engine, not what runs inside. */
export async function clientOf(runId: string): Promise<number> {
  for (const { pid } of jobProcesses({ runId })) {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (words[0] === "podman") return pid;
  }
  return assert.fail("there is no podman of this run");
}

export const file = (name: string) => ({ class: "File", location: `weft-data://catalog/${name}.txt` });

export async function outputText(engine: Engine, run: Run, value: unknown): Promise<string> {
  const { location } = value as { readonly location: string }; // an output of type File has one
  return readFile((await engine.files.runFile(caller, run.run_id, location.split("/files/")[1] ?? "")).path, "utf8");
}
