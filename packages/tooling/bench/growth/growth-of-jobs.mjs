import { join } from "node:path";
import { constant, fill, peakMib, requests, work } from "./figures.mjs";
import { startInstalled } from "../measure.mjs";

/** Measures the requests that pages send about a finished run with this many jobs. */
export async function growthOfJobs(folder, jobs) {
  const state = join(folder, "state");
  const runId = fill("fill-run.mjs", state, jobs);
  const server = await startInstalled(["--state", state]);
  try {
    const run = `/api/runs/${runId}`;
    const measure = (path) => requests(server, run + path);
    return {
      "100 × run record": constant(await measure("")),
      "100 × status": constant(await measure("/status")),
      "100 × first page of jobs": constant(await measure("/jobs?page_size=100")),
      "100 × failed jobs": constant(await measure("/jobs?page_size=100&state=EXECUTOR_ERROR")),
      "100 × samples": constant(await measure("/samples?page_size=100")),
      "100 × results": constant(await measure("/results?page_size=50")),
      "100 × sizing": work(await measure("/sizing")),
      "100 × timeline": work(await measure("/timeline")),
      memory: work(peakMib(server.pid), "MiB"),
    };
  } finally {
    await server.stop();
  }
}
