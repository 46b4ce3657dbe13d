import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../test/test-server.ts";

test("options that would open the service to other users are refused before the server listens", async (t) => {
  const exposed = startTestServer(t, { host: "0.0.0.0" });
  await assert.rejects(exposed, { name: "ServerConfigurationError", exitCode: 78 });
  await assert.rejects(startTestServer(t, { baseUrl: "lab.example" }), { name: "ServerConfigurationError" });
});

test("a port that is in use rejects with the system's error", async (t) => {
  const first = await startTestServer(t);
  await assert.rejects(startTestServer(t, { port: first.port }), { code: "EADDRINUSE" });
});
