import assert from "node:assert/strict";
import { test } from "node:test";
import { JOB_ID, startTestServer } from "../test-server.ts";
import { fuzzServer } from "./fuzz-server.ts";
import { OpenApiContract, type OpenApi } from "./openapi-contract.ts";

/** `tooling/fuzz-api.mjs` sends more. */
const REQUESTS = 1000;

test("the server answers every request according to /swagger.json", async (t) => {
  const server = await startTestServer(t);
  const { id, write, warn, end } = await server.startRun();
  write("a.txt", "content");
  warn("a warning");
  await end();
  const known = {
    run_id: [id],
    job_id: [JOB_ID],
    task_id: [JOB_ID],
    id: ["imaging-cohort", "smooth", "tools:smooth", "networks:imaging-cohort"],
    version: ["2.0.0"],
    version_id: ["2.0.0", "current"],
    path: ["outputs/a.txt", "smooth.cwl"],
    network: ["imaging-cohort"],
    tool: ["smooth"],
    workflow_url: ["imaging-cohort"],
  };
  const seed = 20261122;
  const { statuses, faults } = await fuzzServer({ address: server.address, seed, requests: REQUESTS, known });
  assert.deepEqual(faults, [], `seed ${seed}`);
  // Requests that all die at the first check would prove nothing.
  for (const status of [200, 201, 204, 400, 403, 404, 405, 415, 422])
    assert.ok(statuses.has(status), `no answer had the status ${status}`);
  const errors = server.log.filter(({ level }) => level === "error");
  assert.deepEqual(errors, []);
});

test("the check detects an answer that breaks the contract", async (t) => {
  const server = await startTestServer(t);
  const document = JSON.parse((await server.call("GET /swagger.json")).text) as OpenApi; // the server itself generates it
  const contract = new OpenApiContract(document);
  const fault = (status: number, text: string, mediaType = "application/json") =>
    contract.faultOf("GET", "/healthz", { status, mediaType, text, isWhole: true });
  assert.equal(fault(200, '{"status":"ok"}'), undefined);
  assert.match(fault(200, '{"status":"well"}') ?? "", /not as declared/);
  assert.match(fault(200, '{"status":"ok","secret":1}') ?? "", /not as declared/);
  assert.match(fault(418, "{}") ?? "", /does not declare 418/);
  assert.match(fault(500, "{}") ?? "", /answered 500/);
  assert.match(fault(200, "<p>", "text/html") ?? "", /does not declare text\/html for 200/);
});
