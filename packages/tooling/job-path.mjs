// Traces one job: `node job-path.mjs [checkout]` runs a trivial CommandLineTool with every function of the engine that a
// job may pass through instrumented, and prints how many modules it enters and how often it returns to one it had left.
// It counts calls in the order in which they happen, from the event `job.queued` until `job.ended`. A call within the
// module that was entered last counts nothing, and neither does a function that resumes after an `await`. The second figure
// counts only async functions: the modules in which a job waits for something, without those that return immediately.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseAst } from "vite";

const root = resolve(
  process.argv.slice(2).find((word) => !word.startsWith("--")) ?? fileURLToPath(new URL("../../", import.meta.url)),
);
const engine = pathToFileURL(join(root, "packages/engine/src/")).href;
/** Today's folders, and those that commit d1ed130 had in their place. */
const FOLDERS = /^(runs|jobs|executor|container|sandbox|sink|document|run|job|backend|cache)\//u;
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const entered = [];
globalThis.weftEnters = (module, isAsync) => entered.push({ module, isAsync });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith(engine) ? url.slice(engine.length) : "";
    if (!FOLDERS.test(path) || !path.endsWith(".ts")) return loaded;
    return { ...loaded, source: instrument(String(loaded.source), path) };
  },
});

/** Each function with a body reports its module first. */
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

async function traceJob(scratch) {
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

/** Consecutive calls within one module are one visit. */
function visitsOf(calls) {
  const modules = calls.map(({ module }) => module);
  return modules.filter((module, index) => module !== modules[index - 1]);
}

function figures(visits) {
  const modules = new Set(visits).size;
  return `${modules} modules, ${visits.length - modules} returns`;
}

const scratch = await mkdtemp(join(tmpdir(), "weft-job-path-"));
try {
  const calls = await traceJob(scratch);
  const waits = visitsOf(calls.filter(({ isAsync }) => isAsync));
  if (process.argv.includes("--list")) console.log(visitsOf(calls).join("\n"));
  console.log(`Path of one job: ${figures(visitsOf(calls))}; where it waits: ${figures(waits)}`);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
