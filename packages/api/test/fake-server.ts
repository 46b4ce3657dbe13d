import type { TestContext } from "node:test";
import type { ServerOptions } from "../src/server-options.ts";
import { FakeEngine } from "./fake-engine.ts";
import { FakeFiles } from "./fake-files.ts";
import { startTestServer } from "./test-server.ts";
import type { TestServer } from "./test-server.ts";

export interface FakeServer extends TestServer {
  readonly engine: FakeEngine;
}

/** The server over an engine that only pretends: for tests of which status a route can answer, whatever the engine does. */
export async function startFakeServer(t: TestContext, options: Partial<ServerOptions> = {}): Promise<FakeServer> {
  const engine = new FakeEngine(await FakeFiles.create());
  const server = await startTestServer(t, { ...options, engine });
  t.after(() => engine.files.remove());
  return { ...server, engine };
}
