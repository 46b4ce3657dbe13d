import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../../test/test-server.ts";

test("Swagger UI loads no external files and runs no script without its nonce", async (t) => {
  const server = await startTestServer(t);
  const { text, headers, status } = await server.call("GET /api/doc/");
  assert.equal(status, 200);
  const policy = headers.get("content-security-policy") ?? "";
  const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]+)'/.exec(policy)?.[1] ?? "";
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe|http:|\*/);
  assert.doesNotMatch(text, /https?:/);
  assert.doesNotMatch(text, /\sstyle=|\son\w+=/);
  const inline = [...text.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>/g)].map(([, attributes]) => attributes);
  assert.deepEqual(inline, [` nonce="${nonce}"`]);
  assert.equal([...text.matchAll(/<style nonce="/g)].length, [...text.matchAll(/<style/g)].length);
  const other = await server.call("GET /api/doc/");
  assert.ok(!other.text.includes(nonce));
});

test("everything that the page refers to is served", async (t) => {
  const server = await startTestServer(t);
  const { text } = await server.call("GET /api/doc/");
  const references = [...text.matchAll(/(?:src|href|"url")[=:]"([^"]+)"/g)].map(([, address]) => String(address));
  assert.ok(references.includes("/swagger.json") && references.includes("/swaggerui/swagger-ui.min.css"));
  assert.ok(references.includes("/"), "there is a way back to the app");
  for (const address of references.filter((reference) => reference !== "/")) {
    const answer = await server.call(`GET ${address}`);
    assert.equal(answer.status, 200, address);
    assert.ok(answer.text.length > 300, address);
  }
  const bundle = await server.call("GET /swaggerui/swagger-ui-bundle.js");
  assert.equal(bundle.headers.get("content-type"), "text/javascript; charset=utf-8");
  const again = await server.call("GET /swaggerui/swagger-ui-bundle.js", {
    headers: { "if-none-match": bundle.headers.get("etag") ?? "" },
  });
  assert.equal(again.status, 304);
});

const REDIRECTS = [
  ["/api/doc", "/api/doc/"],
  ["/swaggerui", "/swaggerui/"],
  ["/swaggerui/", "/api/doc/"],
] as const;

test("the documentation is found from its other addresses, and only its files are served", async (t) => {
  const server = await startTestServer(t);
  for (const [from, to] of REDIRECTS) {
    const answer = await server.call(`GET ${from}`);
    assert.deepEqual([answer.status, answer.headers.get("location")], [302, to]);
  }
  for (const name of ["index.html", "package.json", "swagger-initializer.js", "a%2Fb"]) {
    assert.equal((await server.call(`GET /swaggerui/${name}`)).status, 404, name);
  }
});

test("below a prefix the page refers to addresses below it", async (t) => {
  const server = await startTestServer(t, { baseUrl: "https://lab.example/weft" });
  const { text } = await server.call("GET /weft/api/doc/");
  const references = [...text.matchAll(/(?:src|href|"url")[=:]"([^"]+)"/g)].map(([, address]) => String(address));
  assert.ok(references.length >= 5);
  const found = references.filter((address) => !address.startsWith("/weft/"));
  assert.deepEqual(found, []);
});
