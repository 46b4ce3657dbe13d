// A cluster, a catalog and servers that send their jobs to it: the setup of the Slurm tests.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";
import { getJson, launchServer, postRun } from "../reliability/server-process.mjs";
import { startCluster, until } from "./cluster.mjs";

const SETTINGS = {
  poll_seconds: 0.5,
  shared_folder_latency_seconds: 3,
  max_jobs: 5000,
  pack: { jobs: 5, seconds: 60 },
  rules: [{ backend: "local", step: "near" }],
};

/** Keeps all files below `folder`. `slurm`: settings in addition to those of all tests. */
export async function openSite(folder, { slurm = {}, ...size } = {}) {
  const cluster = await startCluster(join(folder, "cluster"), size);
  writeFileSync(join(folder, "weft.config.json"), JSON.stringify({ slurm: { ...SETTINGS, ...slurm } }));
  const catalog = writeCatalog(folder);
  const shared = join(folder, "shared");
  mkdirSync(shared, { recursive: true });
  return {
    folder,
    cluster,
    marks: join(folder, "marks"),
    /** A server on the state folder `name`. */
    serve: (name, { backend = "slurm", shipped = false } = {}) =>
      launchServer(
        [
          "--state",
          join(folder, name),
          "--shared",
          shared,
          "--catalog",
          shipped ? join(ROOT, "packages/catalog") : catalog,
          "--backend",
          backend,
        ],
        { env: cluster.env, cwd: folder },
      ),
    stop: () => cluster.stop(),
  };
}

/**
 * Starts a scatter of `count` jobs of `seconds` each; `isShort`: they declare that they are short. Returns the run's id.
 */
export function postScatter(address, site, { count, seconds, isShort = false, options }) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const inputs = { numbers, seconds, marks: site.marks };
  const body = { network: isShort ? "short-squares" : "squares", inputs, options: { retries: 10, ...options } };
  return postRun(address, `squares-${count}-${performance.now()}`, body);
}

/** Waits until the run has ended, and returns it. */
export async function endedRun(address, runId, withinMs = 900_000) {
  let run;
  await until(
    `the end of run ${runId}`,
    async () =>
      ["COMPLETE", "CANCELED"].includes((run = await getJson(address, `/api/runs/${runId}?view=full`)).state) ||
      run.state.endsWith("ERROR"),
    { withinMs },
  );
  return run;
}

/** One line for each attempt that has begun so far. */
export function marksOf({ marks }) {
  return existsSync(marks) ? readFileSync(marks, "utf8").split("\n").filter(Boolean) : [];
}

/**
 * The problems of a scatter of `count` jobs that has ended: wrong outputs, missing jobs, and attempts that
 * ran twice.
 */
export function faultsOf(run, site, count) {
  const faults = [];
  if (run.state !== "COMPLETE") faults.push(`the run is ${run.state}: ${JSON.stringify(run.state_reason)}`);
  const files = run.outputs?.results ?? [];
  const expected = Array.from({ length: count }, (_, n) => sha1(`${n * n}\n`));
  if (files.map(({ checksum }) => checksum).join() !== expected.join())
    faults.push("the outputs are not one of each job, in order");
  const marks = marksOf(site).filter((mark) => mark.startsWith(run.run_id));
  const twice = marks.length - new Set(marks).size;
  if (twice > 0) faults.push(`${twice} attempts ran twice`);
  const jobs = new Set(marks.map((mark) => mark.split("/")[1])).size;
  if (jobs !== count) faults.push(`${jobs} of ${count} jobs have run`);
  return faults;
}

function sha1(text) {
  return `sha1$${createHash("sha1").update(text).digest("hex")}`;
}

function writeCatalog(folder) {
  mkdirSync(join(folder, "catalog", "tools"), { recursive: true });
  const networks = { squares: squaresOf(SQUARE), "short-squares": squaresOf({ ...SQUARE, ...SHORT }), mixed: MIXED };
  for (const [name, document] of Object.entries(networks)) {
    mkdirSync(join(folder, "catalog", "networks", name), { recursive: true });
    writeFileSync(join(folder, "catalog", "networks", name, `${name}.cwl`), JSON.stringify(document));
  }
  mkdirSync(join(folder, "catalog", "tools", "end", "1.0.0"), { recursive: true });
  writeFileSync(join(folder, "catalog", "tools", "end", "1.0.0", "end.cwl"), JSON.stringify(END));
  return join(folder, "catalog");
}

/** Records the name of its attempt, waits, and squares a number. */
const SQUARE = {
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", 'echo "$WEFT_JOB" >>"$2"; sleep "$3"; expr "$1" "*" "$1" || test "$?" = 1', "square"],
  inputs: {
    number: { type: "int", inputBinding: { position: 1 } },
    marks: { type: "string", inputBinding: { position: 2 } },
    seconds: { type: "float", inputBinding: { position: 3 } },
  },
  stdout: "square.txt",
  outputs: { result: "stdout" },
};

/** Runs the given commands on the given number of cores. */
const END = {
  ...{ cwlVersion: "v1.2", class: "CommandLineTool", outputs: {}, baseCommand: ["sh", "-c"] },
  inputs: { command: { type: "string", inputBinding: {} }, cores: "int" },
  requirements: { ResourceRequirement: { coresMin: "$(inputs.cores)", ramMin: 64 } },
};

/** Five of these share a task. */
const SHORT = { requirements: { ToolTimeLimit: { timelimit: 12 } } };

function squaresOf(tool) {
  return {
    cwlVersion: "v1.2",
    class: "Workflow",
    requirements: { ScatterFeatureRequirement: {} },
    inputs: { numbers: "int[]", seconds: "float", marks: "string" },
    outputs: { results: { type: "File[]", outputSource: "square/result" } },
    steps: {
      square: {
        run: tool,
        scatter: "number",
        in: { number: "numbers", seconds: "seconds", marks: "marks" },
        out: ["result"],
      },
    },
  };
}

/**
 * Two concurrent steps, one of which a rule keeps on the server's machine. Their numbers differ, because equal jobs share
 * a result.
 */
const MIXED = {
  ...squaresOf(SQUARE),
  inputs: { marks: "string" },
  outputs: { far: { type: "File", outputSource: "far/result" }, near: { type: "File", outputSource: "near/result" } },
  steps: Object.fromEntries(
    ["far", "near"].map((step) => [
      step,
      {
        run: SQUARE,
        in: { number: { default: step === "far" ? 3 : 4 }, seconds: { default: 0 }, marks: "marks" },
        out: ["result"],
      },
    ]),
  ),
};
