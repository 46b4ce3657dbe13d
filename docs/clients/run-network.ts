// A client of Weft whose types are made from the server's own description:
//
//   npm install openapi-fetch openapi-typescript typescript@5
//   npx openapi-typescript http://127.0.0.1:8080/swagger.json -o weft-api.ts
//   node run-network.ts http://127.0.0.1:8080 imaging-cohort inputs.json
//
// starts the network with the inputs of the file, waits for its end, prints its output object as JSON, and ends with 0 where
// the run is COMPLETE. Ctrl-C aborts the run. Where the server asks who you are, its token is read from WEFT_TOKEN.
// Node 22.18 or newer runs it as it is.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./weft-api.ts";

type Status = components["schemas"]["RunStatus"];

const FINAL: ReadonlySet<Status["state"]> = new Set([
  "COMPLETE",
  "EXECUTOR_ERROR",
  "SYSTEM_ERROR",
  "CANCELED",
  "PREEMPTED",
]);

const [baseUrl = "", network = "", inputsFile = ""] = process.argv.slice(2);
if (inputsFile === "") {
  console.error("usage: node run-network.ts ADDRESS NETWORK INPUTS.json");
  process.exit(2);
}
const token = process.env["WEFT_TOKEN"];
const weft = createClient<paths>({
  baseUrl,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});

/** Every place of a refusal in one text (RFC 9457). */
function refused(problem: components["schemas"]["Problem"]): Error {
  const places = problem.errors.map(({ pointer, parameter, detail }) => `${pointer ?? parameter ?? ""}: ${detail}`);
  return new Error([problem.detail, ...places].join("; "));
}

async function start(): Promise<string> {
  const inputs = JSON.parse(await readFile(inputsFile, "utf8"));
  // With the key the request may be sent again: it starts one run.
  const { data, error } = await weft.POST("/api/runs", {
    body: { network, inputs },
    params: { header: { "idempotency-key": randomUUID() } },
  });
  if (error !== undefined) throw refused(error);
  return data.run_id;
}

/** The server answers when something has changed, at the latest after 30 s. */
async function waitForEnd(runId: string): Promise<Status> {
  const params = { path: { run_id: runId } };
  for (let tag = ""; ;) {
    const headers = { prefer: "wait=30", ...(tag === "" ? {} : { "if-none-match": tag }) };
    const { data, error, response } = await weft.GET("/api/runs/{run_id}/status", { params, headers });
    tag = response.headers.get("etag") ?? tag;
    if (response.status === 304) continue;
    if (error !== undefined) throw refused(error);
    if (data !== undefined && FINAL.has(data.state)) return data;
  }
}

async function tellFailedJobs(runId: string): Promise<void> {
  const path = { run_id: runId };
  const query = { state: "EXECUTOR_ERROR,SYSTEM_ERROR" };
  const { data } = await weft.GET("/api/runs/{run_id}/jobs", { params: { path, query } });
  for (const { job_id } of data?.jobs ?? []) {
    const log = await weft.GET("/api/runs/{run_id}/jobs/{job_id}/log", {
      params: { path: { ...path, job_id }, query: { tail: 2000 } },
      parseAs: "text",
    });
    console.error(`job ${job_id} failed: ${log.data ?? ""}`);
  }
}

async function runToEnd(): Promise<Status["state"]> {
  const runId = await start();
  const path = { run_id: runId };
  process.once("SIGINT", () => void weft.DELETE("/api/runs/{run_id}", { params: { path } }));
  console.error(`run ${baseUrl}/api/runs/${runId}`);
  const { state } = await waitForEnd(runId);
  await tellFailedJobs(runId);
  const { data } = await weft.GET("/api/runs/{run_id}/outputs", { params: { path } });
  console.log(JSON.stringify(data?.outputs ?? null, undefined, 2));
  return state;
}

try {
  const state = await runToEnd();
  console.error(state);
  process.exitCode = state === "COMPLETE" ? 0 : 1;
} catch (error) {
  console.error(`refused: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
