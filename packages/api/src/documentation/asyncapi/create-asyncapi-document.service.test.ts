import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { z } from "zod";
import { EventLog } from "../../../test/event-log.ts";
import { EventSocketClient } from "../../../test/event-socket-client.ts";
import { startTestServer } from "../../../test/test-server.ts";
import { createAsyncApiDocument } from "./create-asyncapi-document.ts";

type Json = { readonly [key: string]: Json };

// A document contains only JSON.
const document = JSON.parse(
  JSON.stringify(createAsyncApiDocument({ base: "https://lab.example/weft", version: "0.1.0" })),
) as Json;

function resolve(reference: string): Json | undefined {
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<Json | undefined>((here, key) => here?.[key], document);
}

/** A schema of the document with everything that it refers to. */
function schemaOf(message: string): z.ZodType {
  const payload = String(resolve(`#/components/messages/${message}/payload/$ref`));
  const local = JSON.parse(
    JSON.stringify(document["components"]?.["schemas"]).replaceAll("#/components/schemas/", "#/$defs/"),
  );
  return z.fromJSONSchema({ $ref: payload.replace("#/components/schemas/", "#/$defs/"), $defs: local });
}

test("every reference leads somewhere", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) =>
    String(reference),
  );
  assert.ok(references.length > 20);
  for (const reference of references) assert.notEqual(resolve(reference), undefined, reference);
});

test("the document names every frame of both sides, with a sentence each", () => {
  const names = Object.keys(document["components"]?.["messages"] ?? {});
  assert.deepEqual(names.toSorted(), [
    "clientPing",
    "clientSubscribe",
    "clientUnsubscribe",
    "event",
    "serverError",
    "serverEvents",
    "serverHello",
    "serverPong",
    "serverReset",
  ]);
  for (const message of Object.values(document["components"]?.["messages"] ?? {}))
    assert.equal(typeof message["summary"], "string", String(message["name"]));
  assert.deepEqual(document["servers"]?.["socket"]?.["protocol"], "wss");
  assert.deepEqual(document["servers"]?.["stream"]?.["pathname"], "/weft");
});

test("the server sends messages as the document describes them", async (t) => {
  const log = new EventLog();
  const { address } = await startTestServer(t, { events: log.service });
  log.append(null, 2);
  const client = new EventSocketClient(address);
  schemaOf("serverHello").parse(await client.next());
  client.send({ op: "subscribe", since: 0 });
  schemaOf("serverEvents").parse(await client.next());
  client.send({ op: "ping" });
  schemaOf("serverPong").parse(await client.next());
  client.send({ op: "nonsense" });
  schemaOf("serverError").parse(await client.next());
  client.send({ op: "subscribe", since: 99 });
  const reset = await client.next();
  schemaOf("serverReset").parse(reset);
  assert.throws(() => schemaOf("serverHello").parse(reset));
});

test("/asyncapi.json is the document for the address that was used", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("GET /asyncapi.json");
  assert.equal(JSON.parse(answer.text).servers.socket.host, new URL(server.address).host);
  const known = { headers: { "if-none-match": answer.headers.get("etag") ?? "" } };
  assert.equal((await server.call("GET /asyncapi.json", known)).status, 304);
});

test("disconnects a peer that does not answer pings, and no other", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { address } = await startTestServer(t);
  const [deaf, lively] = [
    new EventSocketClient(address, { origin: address, autoPong: false }),
    new EventSocketClient(address),
  ];
  await Promise.all([deaf.next(), lively.next()]);
  const pinged = Promise.all([once(deaf.socket, "ping"), once(lively.socket, "ping")]);
  t.mock.timers.tick(30_000);
  await pinged;
  // The server answers this after it has handled the pong.
  lively.send({ op: "ping" });
  assert.equal((await lively.next()).op, "pong");
  t.mock.timers.tick(30_000);
  assert.equal(await deaf.closed, 1006);
  lively.send({ op: "ping" });
  assert.equal((await lively.next()).op, "pong");
});
