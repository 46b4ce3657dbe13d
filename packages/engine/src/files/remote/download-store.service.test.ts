import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_DOWNLOADS, DownloadStore } from "./download-store.ts";
import type { DownloadSettings } from "./download.ts";
import { allowHosts } from "./http-policy.ts";
import { encoded, redirect, startWebServer, text } from "./testing/web-server.ts";
import { until } from "../../testing/until.ts";

const root = temporaryFolder();
const LONG = "0123456789".repeat(50_000);
let failures = 0;
let version = 1;
/** Ends the connection of the answer that is to break, once a part of it has arrived. */
let breakOff = (): void => undefined;
const WHOLE = { etag: '"v1"', "content-length": String(LONG.length) };
function breaks(response: ServerResponse): void {
  response.writeHead(200, WHOLE);
  breakOff = () => response.destroy();
  response.write(LONG.slice(0, 100_000));
}
const web = await startWebServer({
  "/a.txt": text("hello"),
  "/auth": (request, response) =>
    request.headers.authorization === `Basic ${Buffer.from("ann:p@ss").toString("base64")}`
      ? response.end("secret")
      : response.writeHead(401).end(),
  "/hop": redirect("/hop2", 301),
  "/hop2": redirect("./a.txt", 307),
  "/loop": redirect("/loop"),
  "/to-meta": redirect("http://169.254.169.254/latest"),
  "/to-file": redirect("file:///etc/passwd"),
  "/nowhere": (_, response) => response.writeHead(302).end(),
  "/no": (_, response) => response.writeHead(403).end(),
  "/busy": (_, response) => (failures++ === 0 ? response.writeHead(503).end() : response.end("at last")),
  "/down": (_, response) => response.writeHead(500).end(),
  "/long": text(LONG, { "content-length": String(LONG.length) }),
  "/chunked": text(LONG),
  ...Object.fromEntries(
    Object.entries({ gzip: gzipSync, "x-gzip": gzipSync, deflate: deflateSync, br: brotliCompressSync }).map(
      ([encoding, encode]) => [`/as-${encoding}`, encoded(encoding, encode(LONG))],
    ),
  ),
  "/a.txt.gz": encoded("gzip", gzipSync("hello")),
  "/as-other": encoded("zstd", Buffer.from("hello")),
  "/as-broken": encoded("gzip", Buffer.from("hello")),
  "/as-bomb": encoded("gzip", gzipSync(LONG)),
  "/stalls": (_, response) => void response.writeHead(200, { "content-length": "10" }).write("half"),
  "/silent": () => undefined,
  "/breaks": (request, response) => {
    const range = /bytes=(\d+)-/.exec(request.headers.range ?? "");
    if (range === null || request.headers["if-range"] !== '"v1"') return breaks(response);
    const start = Number(range[1]);
    response.writeHead(206, { etag: '"v1"', "content-range": `bytes ${start}-${LONG.length - 1}/${LONG.length}` });
    response.end(LONG.slice(start));
  },
  "/restarts": (request, response) =>
    request.headers.range === undefined ? breaks(response) : response.writeHead(200, WHOLE).end(LONG),
  "/versions": (request, response) => {
    const etag = `"${version}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    response.writeHead(200, { etag }).end(`version ${version}`);
  },
});
after(() => web.close());

const settings = { ...DEFAULT_DOWNLOADS, environment: {}, retryDelaysMs: [0, 0], idleTimeoutMs: 5000 };
const asked = () => web.requests.length;
let folders = 0;
const newStore = (change: Partial<DownloadSettings> = {}) =>
  new DownloadStore(join(root, String(++folders)), { ...settings, ...change });

const fetch = (store: DownloadStore, location: string, signal = new AbortController().signal) =>
  store.fetch(location.startsWith("/") ? web.address + location : location, {
    signal,
    onBytes: (bytes) => void (bytes > 0 && breakOff()),
  });

describe("DownloadStore", () => {
  const contents: [string, string][] = [
    ["/a.txt", "hello"],
    ["/a.txt?x=1#part", "hello"],
    ["/hop", "hello"],
    ["/busy", "at last"],
    ["/long", LONG],
    ["/chunked", LONG],
    ["/as-gzip", LONG],
    ["/as-x-gzip", LONG],
    ["/as-deflate", LONG],
    ["/as-br", LONG],
    // The file is compressed, not its transfer.
    ["/a.txt.gz", gzipSync("hello").toString()],
    ["/breaks", LONG],
    ["/restarts", LONG],
    [web.address.replace("//", "//ann:p%40ss@") + "/auth", "secret"],
    ["data:,a%20b", "a b"],
    ["data:;base64,AP8=", "\u0000\u{fffd}"],
  ];
  it("refuses content that it cannot decode, or that is too large once decoded", async () => {
    await assert.rejects(fetch(newStore(), "/as-other"), /its server encodes it as zstd/);
    await assert.rejects(fetch(newStore(), "/as-broken"), /its encoded content is damaged/);
    await assert.rejects(fetch(newStore({ maxBytes: 10_000 }), "/as-bomb"), /at most 10000 bytes are allowed/);
  });

  for (const [location, expected] of contents)
    it(`downloads ${location.replace(/^http:..*@[^/]*/, "user:password@")}`, async () => {
      const fetched = await fetch(newStore(), location);
      assert.ok(fetched !== undefined);
      const content = await readFile(fetched.path);
      assert.equal(content.toString(), expected);
      const [sha1, sha256] = ["sha1", "sha256"].map((name) => createHash(name).update(content).digest("hex"));
      assert.deepEqual([fetched.sha1, fetched.sha256, fetched.sizeBytes], [`sha1$${sha1}`, sha256, content.length]);
    });

  const [named, stranger] = [web.address.replace("127.0.0.1", "localhost"), web.address.replace("//", "//ann:wrong@")];
  const hasty = { idleTimeoutMs: 50, retryDelaysMs: [] };
  const refusals: [string, Partial<DownloadSettings>, RegExp][] = [
    ["/no", {}, /^cannot fetch http:\S+\/no: the server answered 403 \(Forbidden\): access denied$/],
    ["/down", {}, /the server answered 500/],
    ["/loop", {}, /redirected more than 5 times/],
    ["/nowhere", {}, /answered 302 without a Location header/],
    ["/to-file", {}, /it is not an http\(s\) URL/],
    ["/to-meta", { policy: allowHosts(["*", "127.0.0.1"]) }, /169\.254\.169\.254 is a link-local address/],
    ["/a.txt", { policy: allowHosts(["*"]) }, /127\.0\.0\.1 is a loopback address/],
    [`${named}/a.txt`, { policy: allowHosts(["*"]) }, /localhost resolves to .*1, a loopback/],
    ["/a.txt", { policy: allowHosts([]) }, /this server downloads no files/],
    ["/long", { maxBytes: 1000 }, /it has 500000 bytes; at most 1000 bytes are allowed/],
    ["/chunked", { maxBytes: 1000 }, /it is larger than allowed; at most 1000 bytes/],
    ["/stalls", hasty, /no data for 0\.05 s/],
    ["/silent", hasty, /no data for 0\.05 s/],
    ["http://127.0.0.1:1/", {}, /the connection was refused/],
    ["http://***@h.org/x", {}, /its credentials are not recorded/],
    ["data:text/plain", {}, /^cannot fetch data:text\/plain: the data is not valid base64/],
    [`${stranger}/auth`, {}, /^cannot fetch http:\/\/\*\*\*@127\.0\.0\.1:\d+\/auth: .* 401/],
  ];
  for (const [location, change, expected] of refusals) {
    it(`refuses ${location.replace(web.address, "")} with ${JSON.stringify(change)}, and leaves nothing`, async () => {
      const store = newStore(change);
      await assert.rejects(fetch(store, location), { name: "CwlFailure", code: "STAGE_IN", message: expected });
      const partial = join(root, String(folders), "partial");
      assert.deepEqual(existsSync(partial) ? await readdir(partial) : [], []);
    });
  }

  it("returns undefined for a missing file", async () => assert.equal(await fetch(newStore(), "/none"), undefined));

  it("asks again whether a file has changed, and uses its own copy if not", async () => {
    const store = newStore();
    const [first, second] = [await fetch(store, "/versions"), await fetch(store, "/versions")];
    assert.equal(web.requests.at(-1)?.headers["if-none-match"], '"1"');
    assert.deepEqual(second, first);
    version = 2;
    const third = await fetch(store, "/versions");
    assert.equal(await readFile(third?.path ?? "", "utf8"), "version 2");
    assert.equal(await readFile(first?.path ?? "", "utf8"), "version 1");
  });

  it("downloads a file again if someone has written to the copy", async () => {
    const store = newStore();
    const first = await fetch(store, "/versions");
    assert.ok(first !== undefined);
    await appendFile(first.path, "!");
    assert.equal(await store.find(first), undefined);
    const again = await fetch(store, "/versions");
    assert.equal(web.requests.at(-1)?.headers["if-none-match"], undefined);
    assert.equal(await readFile(again?.path ?? "", "utf8"), `version ${version}`);
  });

  it("keeps equal contents once", async () => {
    const store = newStore();
    const paths = [await fetch(store, "/a.txt"), await fetch(store, "/hop"), await fetch(store, "data:,hello")];
    assert.equal(new Set(paths.map((it) => it?.path)).size, 1);
  });

  it("stops when its signal aborts", async () => {
    const stop = new AbortController();
    const fetching = fetch(newStore(), "/stalls", stop.signal);
    const before = asked();
    await until(() => asked() > before);
    stop.abort();
    await assert.rejects(fetching, { name: "AbortError" });
  });

  it("goes through the proxy that the environment names", async () => {
    const proxy = await startWebServer({ [`http://h.example/x`]: text("by proxy") });
    const store = newStore({ environment: { http_proxy: proxy.address } });
    const fetched = await fetch(store, "http://h.example/x");
    assert.equal(await readFile(fetched?.path ?? "", "utf8"), "by proxy");
    await proxy.close();
  });
});
