import { parseArgs } from "node:util";
import { createClient } from "@weft/shared/client.ts";
import { fuzzServer } from "./fuzz-server.ts";

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
const { statuses, faults } = await fuzzServer({
  address,
  seed,
  requests: Number(values.requests),
  known: await knownValues(address),
});
const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
console.log(`seed ${seed}: ${counts.join(", ")}`);
for (const fault of faults) console.error(fault);
console.log(`${faults.length} broken promises`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Two short runs, so that there is something to find. */
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
    network: ["practice-load"],
    tool: ["smooth"],
    workflow_url: ["practice-load"],
    location: ["weft-data://catalog/data", "weft-data://uploads/"],
  };
}
