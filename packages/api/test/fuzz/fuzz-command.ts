import { parseArgs } from "node:util";
import { createClient } from "@weft/shared/routes/client.ts";
import { FAULT_KINDS, fuzzServer } from "./fuzz-server.ts";

/** `ADDRESS --requests N --seed S`: fuzzes a running server that has the shipped catalog; exit code 1 when it breaks its contract. */
const { values, positionals } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
  allowPositionals: true,
});
const [address = "http://127.0.0.1:8080"] = positionals;
const seed = Number(values.seed);
const NAMES = { "server-error": "5xx", undocumented: "undocumented", hang: "hangs", lost: "lost connections" };
const startedMs = performance.now();
const { statuses, counts, faults, requests } = await fuzzServer({
  address,
  seed,
  requests: Number(values.requests),
  known: await knownValues(address),
});
const perSecond = Math.round(requests / ((performance.now() - startedMs) / 1000));
const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
for (const fault of faults) console.error(fault);
console.log(`answers ${answers.join(", ")}`);
const found = FAULT_KINDS.map((kind) => `${NAMES[kind]} ${counts[kind]}`);
console.log(`requests ${requests}, ${found.join(", ")}, seed ${seed}, ${perSecond} requests per second`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Starts two short runs, so that requests can name existing runs and jobs. */
async function knownValues(base: string): Promise<Record<string, string[]>> {
  const client = createClient(base);
  const body = { network: "practice-load", inputs: { count: 3, seconds: 0 } };
  const runs = await Promise.all([1, 2].map(() => client("POST /api/runs", { body })));
  const ids = runs.flatMap((run) => ("run_id" in run ? [run.run_id] : []));
  const jobs = await Promise.all(
    ids.map((run_id) => client("GET /api/runs/{run_id}/jobs", { params: { run_id }, query: {} })),
  );
  const jobIds = jobs.flatMap((page) => page.jobs.map(({ job_id }) => job_id));
  const names = ["imaging-cohort", "practice-load", "smooth"];
  return {
    run_id: ids,
    job_id: jobIds,
    task_id: jobIds,
    id: [...names, "networks:imaging-cohort", "tools:smooth"],
    version: ["2.0.0"],
    version_id: ["2.0.0", "current"],
    network: ["practice-load", "crossed", "dotted"],
    tool: ["smooth", "anything"],
    workflow_url: ["practice-load"],
    location: ["weft-data://catalog/data", "weft-data://uploads/"],
  };
}
