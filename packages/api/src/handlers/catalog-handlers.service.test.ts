import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../../test/test-server.ts";

const PATHS = ["/api/networks/imaging-cohort", "/api/tools/smooth", "/api/tools/smooth/1.0.0"];

test("networks and tools come packed if the client accepts CWL", async (t) => {
  const server = await startTestServer(t);
  for (const path of PATHS) {
    const packed = await server.call(`GET ${path}`, { headers: { accept: "application/cwl+json" } });
    assert.deepEqual([packed.status, packed.headers.get("content-type")], [200, "application/cwl+json"], path);
    assert.equal(JSON.parse(packed.text).cwlVersion, "v1.2");
    const entityTag = packed.headers.get("etag") ?? "";
    assert.match(entityTag, /^"sha256:/);
    const again = await server.call(`GET ${path}`, {
      headers: { accept: "application/cwl+json", "if-none-match": entityTag },
    });
    assert.deepEqual([again.status, again.text], [304, ""]);
  }
});

test("records are the default, and are revalidated by their content", async (t) => {
  const server = await startTestServer(t);
  for (const path of PATHS) {
    const record = await server.call(`GET ${path}`, { headers: { accept: "text/html,*/*;q=0.1" } });
    assert.equal(record.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(record.headers.get("vary"), "Accept-Encoding, Accept");
    const again = await server.call(`GET ${path}`, { headers: { "if-none-match": record.headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
  }
});
