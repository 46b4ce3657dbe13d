import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { checkPort, checkProxy } from "./check-network.ts";

describe("the finding about", () => {
  it("ports", async (t) => {
    const other = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(other, "listening");
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo; // it listens on a port
    const options = { host: "127.0.0.1", port, baseUrl: undefined, servedAt: undefined };
    const taken = await checkPort(options);
    assert.deepEqual(taken, {
      state: "failed",
      detail: `another program listens at 127.0.0.1:${port}`,
      fix: "weft serve --port 0",
    });
    assert.equal((await checkPort({ ...options, servedAt: `http://127.0.0.1:${port}` })).state, "ok");
    const served = { ...options, port: 0, servedAt: `http://127.0.0.1:${port}` };
    assert.equal((await checkPort(served)).detail, `the server listens at http://127.0.0.1:${port}`);
    assert.equal((await checkPort({ ...options, port: 0 })).detail, "127.0.0.1, any free port");
    assert.match((await checkPort({ ...options, host: "192.0.2.1", port: 1 })).detail, /no program can listen/);
  });

  it("proxies", async () => {
    assert.equal((await checkProxy({})).state, "ok");
    assert.match((await checkProxy({ https_proxy: "http://127.0.0.1:1" })).detail, /127\.0\.0\.1:1 does not answer/);
    assert.match((await checkProxy({ https_proxy: "http://[" })).detail, /is not a URL/);
  });
});
