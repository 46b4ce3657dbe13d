// The path of one job: runs a trivial CommandLineTool with every function of the engine that a job may pass through
// instrumented, from the event `job.queued` until `job.ended`. `node job-path.mjs [checkout] [--list]` prints it.
// `steady` is the part that depends on neither the machine nor its load: calls that no module of the executor makes, in each of
// several jobs. How an executor watches and ends processes depends on both.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getCallSites } from "node:util";
import { parseAst } from "vite";

/** Today's folders, and those that commit d1ed130 had instead. */
const FOLDERS = /^(runs|jobs|executor|container|sandbox|sink|document|run|job|backend|cache)\//u;
const IN_EXECUTOR = /^(executor|container|sandbox|backend)\//u;
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
/** Frames between a function and its caller that may belong to Node or to folders that are not traced. */
const MAX_FRAMES = 12;
const JOBS = 5;

/**
 * The modules that a job enters, those in which it waits for something, and the calls between them: pairs of a module and
 * one whose function it calls.
 * @returns {Promise<Path & { steady: Path }>}
 * @typedef {{ modules: string[], waiting: string[], calls: string[] }} Path
 */
export async function jobPath(root) {
  const engine = pathToFileURL(join(root, "packages/engine/src/")).href;
  const entered = [];
  globalThis.weftEnters = (module, isAsync) => entered.push({ module, isAsync, caller: callerIn(engine) });
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const path = url.startsWith(engine) ? url.slice(engine.length) : "";
      if (!FOLDERS.test(path) || !path.endsWith(".ts")) return loaded;
      return { ...loaded, source: instrument(String(loaded.source), path) };
    },
  });
  const scratch = await mkdtemp(join(tmpdir(), "weft-job-path-"));
  try {
    const jobs = [];
    for (let count = 0; count < JOBS; count++) jobs.push(await traceJob({ root, scratch, entered }));
    const steady = jobs.map((calls) => summary(calls.filter(isSteady))).reduce(inBoth);
    return { ...jobs.map(summary).reduce(inBoth), steady };
  } finally {
    hooks.deregister();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The module of the function that called the one that was entered, if it is traced. */
function callerIn(engine) {
  const [, , , ...frames] = getCallSites(MAX_FRAMES);
  const path = ({ scriptName }) => (scriptName.startsWith(engine) ? scriptName.slice(engine.length) : "");
  return frames.map(path).find((module) => FOLDERS.test(module));
}

function summary(calls) {
  const distinct = (values) => [...new Set(values)];
  const between = calls.filter(({ module, caller }) => caller !== undefined && caller !== module);
  return {
    modules: distinct(calls.map(({ module }) => module)),
    waiting: distinct(calls.filter(({ isAsync }) => isAsync).map(({ module }) => module)),
    calls: distinct(between.map(({ module, caller }) => `${caller} → ${module}`)),
  };
}

function isSteady({ module, caller }) {
  return caller === undefined ? !IN_EXECUTOR.test(module) : !IN_EXECUTOR.test(caller);
}

function inBoth(one, other) {
  const common = (name) => one[name].filter((item) => other[name].includes(item));
  return { modules: common("modules"), waiting: common("waiting"), calls: common("calls") };
}

/** Makes each function with a body report its module first. */
function instrument(source, path) {
  const bodies = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (FUNCTIONS.has(node.type) && node.body?.type === "BlockStatement")
      bodies.push([node.body.start + 1, node.async]);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(source, { lang: "ts" }).body);
  let text = source;
  for (const [at, isAsync] of bodies.toSorted(([a], [b]) => b - a))
    text = `${text.slice(0, at)}weftEnters(${JSON.stringify(path)}, ${isAsync});${text.slice(at)}`;
  return text;
}

async function traceJob({ root, scratch, entered }) {
  const load = (path) => import(pathToFileURL(join(root, "packages", path)).href);
  const { loadDocument } = await load("cwl/src/document/load-document.ts");
  const { formatKnowledge } = await load("cwl/src/document/format-knowledge.ts");
  const moved = (now, before) => load(now).catch(() => load(before));
  const { diskReader } = await moved("engine/src/files/disk-reader.ts", "engine/src/run/disk-reader.ts");
  const { runDocument } = await moved("engine/src/document/run-document.ts", "engine/src/run/run-document.ts");
  const tool = 'cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: ["true"]\ninputs: {}\noutputs: {}\n';
  const path = join(scratch, "true.cwl");
  await writeFile(path, tool);
  const loaded = await loadDocument(pathToFileURL(path).href, { reader: diskReader });
  const job = { from: 0, to: 0 };
  const result = await runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    inputs: {},
    overrides: [],
    outdir: join(scratch, "out"),
    version: "trace",
    scratch: await mkdtemp(join(scratch, "scratch-")),
    jobs: 1,
    log: () => {},
    onEvents: (events) => {
      for (const { type } of events) {
        if (type === "job.queued") job.from = entered.length;
        if (type === "job.ended") job.to = entered.length;
      }
    },
    signal: new AbortController().signal,
  });
  if (result.state !== "COMPLETE") throw new Error(`the run ended as ${result.state ?? result.kind}`);
  return entered.slice(job.from, job.to);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const checkout = process.argv.slice(2).find((word) => !word.startsWith("--"));
  const path = await jobPath(resolve(checkout ?? fileURLToPath(new URL("../../", import.meta.url))));
  if (process.argv.includes("--list")) console.log(path.calls.join("\n"));
  console.log(`Path of one job: ${described(path)}\nOutside the executor: ${described(path.steady)}`);
}

function described({ modules, calls, waiting }) {
  return `${modules.length} modules, ${calls.length} calls between them; it waits in ${waiting.length}`;
}
