import { runTestsSchema, testListSchema } from "../records/test-record.ts";
import { versionQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";
import { startProblems } from "./run-routes.ts";

const listed = { 200: { description: "The tests", schema: testListSchema } } as const;
const started = {
  202: { description: "The tests; those that have started are running", schema: testListSchema },
} as const;

const STARTS =
  "Each test is a run of the caller, without the cache. Weft compares its outputs with the test when it has finished.";

const runProblems = startProblems.filter((code) => code !== "idempotency-key-reused" && code !== "invalid-inputs");

/** Tests of tools and networks: files in `tests/`, next to their documents. */
export const testRoutes = routesOf("tools", {
  "GET /api/tools/{id}/{version}/tests": {
    operationId: "listToolTests",
    access: "viewer",
    summary: "List the tests of a version of a tool, with their last results",
    answers: listed,
  },
  "POST /api/tools/{id}/{version}/tests": {
    operationId: "runToolTests",
    access: "author",
    summary: "Run the tests of a version of a tool",
    description: STARTS,
    body: runTestsSchema,
    bodyIsOptional: true,
    answers: started,
    problems: runProblems,
  },
  "GET /api/networks/{id}/tests": {
    operationId: "listNetworkTests",
    tag: "networks",
    access: "viewer",
    summary: "List the tests of a network, with their last results",
    query: versionQuery,
    answers: listed,
    problems: ["network-not-found", "version-not-found"],
  },
  "POST /api/networks/{id}/tests": {
    operationId: "runNetworkTests",
    tag: "networks",
    access: "author",
    summary: "Run the tests of a network",
    description: STARTS,
    query: versionQuery,
    body: runTestsSchema,
    bodyIsOptional: true,
    answers: started,
    problems: runProblems,
  },
} as const satisfies RouteTable);
