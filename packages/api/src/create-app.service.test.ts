import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import Koa from "koa";
import { json, problemOf, startTestServer } from "../test/test-server.ts";
import type { RequestState } from "./http/context.ts";
import { problemMiddleware } from "./http/problem-middleware.ts";
import { prepareRequest } from "./prepare-request.ts";

it("refuses a request whose Accept-Encoding rules out every encoding, before it has an effect", async (t) => {
  const server = await startTestServer(t);
  for (const encoding of ["identity;q=0", "*;q=0", "zstd, identity;q=0", "br;q=0, gzip;q=0, deflate;q=0, identity;q=0"])
    for (const request of ["GET /swagger.json", "GET /api/server", "GET /api/server/load", "GET /", "GET /nowhere"]) {
      const answer = await server.call(request, { headers: { "accept-encoding": encoding } });
      assert.equal(problemOf(answer).code, "not-acceptable", `${request} with ${encoding}`);
    }
  const start = json({ network: "imaging-cohort", inputs: {} }, { "accept-encoding": "identity;q=0" });
  assert.equal((await server.call("POST /api/runs", start)).status, 406);
  assert.deepEqual(JSON.parse((await server.call("GET /api/runs")).text).runs, []);
});

it("compresses a long answer for a client that accepts only gzip", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("GET /swagger.json", { headers: { "accept-encoding": "gzip, identity;q=0" } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-encoding"), "gzip");
});

it("answers a failure before the routes with a problem document, and logs it", async (t) => {
  const logged: string[] = [];
  const log = (level: string, message: string) => void logged.push(`${level}: ${message}`);
  const app = new Koa<RequestState>();
  const arrivals = { get: () => ({ site: { base: "http://weft.test" }, client: "127.0.0.1" }) };
  const login = { identify: () => Promise.reject(new Error("the identity provider is on fire")) };
  app.use(problemMiddleware({ log, maxErrors: 10 }));
  // The test uses only these parts.
  app.use(prepareRequest({ arrivals, login, log } as unknown as Parameters<typeof prepareRequest>[0]));
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const problem = (await answer.json()) as { code: string; detail: string };
  assert.deepEqual([answer.status, problem.code], [500, "internal-error"]);
  assert.doesNotMatch(problem.detail, /fire/);
  assert.deepEqual(logged, ["error: A request failed"]);
});
