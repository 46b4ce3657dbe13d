import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { largeCatalog } from "../e2e/large-network.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILL = join(ROOT, "packages/tooling/bench/fill-run.mjs");

/** Writes the given number of lines. */
const TALK = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [seq, -f, "%.0f a line of a job that says what it does", "1"]
inputs: { lines: { type: int, inputBinding: {} } }
outputs: []
`;

/** A network that is scattered over four lists, side by side. */
const COHORT = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {} }
inputs: { images: "File[]", subjects: "string[]", ages: "int[]", groups: "string[]" }
outputs: []
steps:
  each:
    run:
      class: ExpressionTool
      inputs: { image: File, subject: string, age: int, group: string }
      outputs: {}
      expression: "\${ return {}; }"
    scatter: [image, subject, age, group]
    scatterMethod: dotproduct
    in: { image: images, subject: subjects, age: ages, group: groups }
    out: []
`;

/**
 * A server of its own. `steps`: its catalog is not the shipped one but has a network of so many steps, a scattered network and
 * a tool that talks. `jobs`: its log has a run of so many jobs. `study`: writes the data folder of that name.
 */
export async function startServer({ steps, jobs, study } = {}) {
  const state = await mkdtemp(join(tmpdir(), "weft-bench-state-"));
  if (jobs !== undefined) execFileSync(process.execPath, [FILL, state, String(jobs)]);
  const catalog = steps === undefined ? undefined : await largeCatalog(steps);
  if (catalog !== undefined) {
    await mkdir(join(catalog, "tools/talk/1.0.0"), { recursive: true });
    await writeFile(join(catalog, "tools/talk/1.0.0/talk.cwl"), TALK);
    await mkdir(join(catalog, "networks/cohort"), { recursive: true });
    await writeFile(join(catalog, "networks/cohort/cohort.cwl"), COHORT);
  }
  const args = [join(ROOT, "packages/cli/bin/weft.cjs"), "serve", "--port", "0", "--state", state];
  if (catalog !== undefined) args.push("--catalog", catalog);
  const written = await study?.();
  if (written !== undefined) args.push("--data", `study=${written.folder}`);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const found = /listening on (\S+)/.exec(String(chunk))?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(state, { recursive: true });
      await written?.remove();
      if (catalog !== undefined) await rm(catalog, { recursive: true });
    },
  };
}

/** Starts a run and waits for its success; returns its id. */
export async function runToEnd(url, request) {
  const headers = { "content-type": "application/json" };
  const created = await fetch(`${url}/api/runs`, { method: "POST", headers, body: JSON.stringify(request) });
  const { run_id: runId, detail } = await created.json();
  if (created.status !== 201) throw new Error(`the run was refused: ${detail}`);
  for (;;) {
    const { state } = await (await fetch(`${url}/api/runs/${runId}/status`)).json();
    if (state === "COMPLETE") return runId;
    if (/ERROR|CANCELED/.test(state)) throw new Error(`the run ended as ${state}`);
    await pause(100);
  }
}
