import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { problemOf, startTestServer } from "../../test/test-server.ts";
import { PAGE_PATHS } from "./page-routes.ts";

const INDEX = `<!doctype html><head><meta name="weft-base" content="/"><script type="module" src="/static/app-Ab12Cd34.js"></script></head>`;
const SCRIPT = "export const text = 'weft';\n".repeat(100);
const HTML = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

const webRoot = temporaryFolder({
  "index.html": INDEX,
  "secret.txt": "outside of static",
  "static/app-Ab12Cd34.js": SCRIPT,
  "static/app-Ab12Cd34.js.gz": gzipSync(SCRIPT),
  "static/icon.svg": "<svg/>",
  "static/.hidden": "hidden",
  "static/fonts/": "",
});

test("every page of the application is its index, under a strict policy", async (t) => {
  const server = await startTestServer(t, { webRoot });
  for (const path of PAGE_PATHS.map((pattern) => pattern.replaceAll(/[:*]\w+/g, "a.b"))) {
    const { status, headers, text } = await server.call(`GET ${path}`);
    assert.deepEqual([status, text, headers.get("cache-control")], [200, INDEX, "no-cache"], path);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, new RegExp(`connect-src 'self' ws://127.0.0.1:${server.port};`));
    assert.doesNotMatch(policy, /unsafe/);
  }
  const { headers } = await server.call("GET /");
  assert.equal((await server.call("GET /", { headers: { "if-none-match": headers.get("etag") ?? "" } })).status, 304);
});

test("the server knows every page of the application", () => {
  const source = readFileSync(new URL("../../../web/src/routes/page-routes.tsx", import.meta.url), "utf8");
  const routes = [...source.matchAll(/^ +(?:<Route path=)?"(\/[^"]*)"/gm)].map(([, path = ""]) => path);
  const declared = routes.flatMap((path) => (path.endsWith("/*") ? [path.slice(0, -2), path] : [path]));
  const withoutNames = (paths: readonly string[]) =>
    paths.map((path) => path.replaceAll(/(?<=[:*])\w+/g, "")).toSorted();
  assert.deepEqual(withoutNames(PAGE_PATHS), withoutNames(declared));
});

test("an unknown address shows people the application and programs a problem", async (t) => {
  const server = await startTestServer(t, { webRoot });
  const page = await server.call("GET /network/a/b/c", HTML);
  assert.deepEqual([page.status, page.text], [404, INDEX]);
  for (const [request, init] of [
    ["GET /nothing", undefined],
    ["GET /api/nothing", HTML],
    ["POST /nothing", HTML],
  ] as const) {
    const answer = await server.call(request, init);
    assert.deepEqual([answer.status, problemOf(answer).code], [404, "not-found"], request);
  }
});

test("built files are cached permanently if their names contain a hash", async (t) => {
  const server = await startTestServer(t, { webRoot });
  const script = await server.call("GET /static/app-Ab12Cd34.js");
  assert.deepEqual([script.status, script.text], [200, SCRIPT]);
  assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(script.headers.get("content-encoding"), "gzip");
  assert.match(script.headers.get("content-type") ?? "", /^(text|application)\/javascript/);
  const icon = await server.call("GET /static/icon.svg");
  assert.deepEqual([icon.status, icon.headers.get("cache-control")], [200, "no-cache"]);
  const again = await server.call("GET /static/icon.svg", {
    headers: { "if-modified-since": icon.headers.get("last-modified") ?? "" },
  });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("only built files are served below /static/", async (t) => {
  const server = await startTestServer(t, { webRoot });
  for (const name of ["none.js", ".hidden", "fonts", "fonts/", "%2Fetc%2Fpasswd", "..%5Csecret.txt", "%ff"]) {
    const answer = await server.call(`GET /static/${name}`);
    assert.ok(answer.status === 404 || answer.status === 400, `${name}: ${answer.status}`);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
  assert.equal((await server.call("GET /secret.txt")).status, 404);
});

test("the page contains the prefix of the base address", async (t) => {
  const server = await startTestServer(t, { webRoot, baseUrl: "https://lab.example/weft" });
  const { text, headers } = await server.call("GET /weft/");
  assert.equal(text, INDEX.replace('content="/"', 'content="/weft/"').replace('"/static/', '"/weft/static/'));
  assert.match(headers.get("content-security-policy") ?? "", /connect-src 'self' wss:\/\/lab\.example;/);
  assert.equal((await server.call("GET /weft/static/app-Ab12Cd34.js")).status, 200);
});

test("without a built application, the pages say how to build it", async (t) => {
  const server = await startTestServer(t);
  const page = await server.call("GET /runs", HTML);
  assert.equal(page.status, 503);
  assert.match(page.text, /npm run build/);
});
