import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { startTestServer } from "../../test/test-server.ts";
import { createForwardedReader } from "./forwarded.ts";

/** A request as it arrives from an address. */
function arrivingFrom(peer: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const CLIENTS: readonly (readonly [name: string, peer: string, header: string | undefined, client: string])[] = [
  ["a peer that is not a proxy", "192.0.2.9", "1.1.1.1", "192.0.2.9"],
  ["a proxy", "10.1.2.3", "1.1.1.1", "1.1.1.1"],
  ["a proxy by its mapped address", "::ffff:10.1.2.3", "1.1.1.1", "1.1.1.1"],
  ["a client that made up a hop", "10.1.2.3", "9.9.9.9, 1.1.1.1", "1.1.1.1"],
  ["two proxies", "::1", "9.9.9.9, 1.1.1.1, 10.0.0.1", "1.1.1.1"],
  ["a request of the proxy itself", "::1", "10.0.0.7, 10.0.0.1", "10.0.0.7"],
  ["a proxy that sends no headers", "::1", undefined, "::1"],
  ["nonsense", "::1", "unknown, <b>", "::1"],
];

test("the client behind trusted proxies", async (t) => {
  const read = createForwardedReader(["10.0.0.0/8", "::1"]);
  for (const [name, peer, header, client] of CLIENTS) {
    const headers = header === undefined ? {} : { "x-forwarded-for": header };
    await t.test(name, () => assert.equal(read(arrivingFrom(peer, headers)).client, client));
  }
});

test("text that is not an address is refused", async (t) => {
  for (const proxy of ["lab.example", "", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/x"])
    await t.test(proxy, () => assert.throws(() => createForwardedReader([proxy]), { exitCode: 78 }));
});

const HEADERS = { "x-forwarded-host": "Lab.example", "x-forwarded-proto": "https" };

test("links use the name and scheme that a trusted proxy forwards, if the name is allowed", async (t) => {
  const linkOf = async (options: Parameters<typeof startTestServer>[1], headers: Record<string, string>) => {
    const server = await startTestServer(t, options);
    await server.startRun();
    const { text, status } = await server.call("GET /api/runs?view=url", { headers });
    return status === 200 ? new URL(JSON.parse(text).runs[0]).origin : status;
  };
  const known = { allowedHosts: ["lab.example"], trustedProxies: ["127.0.0.1"] };
  assert.equal(await linkOf(known, HEADERS), "https://Lab.example".toLowerCase());
  assert.equal(await linkOf(known, { ...HEADERS, "x-forwarded-host": "evil.example" }), 421);
  assert.match(String(await linkOf({ allowedHosts: ["lab.example"] }, HEADERS)), /^http:\/\/127\.0\.0\.1:/);
});
