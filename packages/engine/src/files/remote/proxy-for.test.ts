import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyFor } from "./http-get.ts";

const P = "http://proxy:3128";
const CASES: readonly (readonly [string, Readonly<Record<string, string>>, string | undefined])[] = [
  ["http://h.org/", {}, undefined],
  ["http://h.org/", { http_proxy: P }, P],
  ["http://h.org/", { HTTP_PROXY: P }, P],
  ["https://h.org/", { http_proxy: P }, undefined],
  ["https://h.org/", { HTTPS_PROXY: P }, P],
  ["http://h.org/", { http_proxy: P, no_proxy: "*" }, undefined],
  ["http://h.org/", { http_proxy: P, NO_PROXY: "localhost, h.org" }, undefined],
  ["http://a.h.org/", { http_proxy: P, no_proxy: ".h.org" }, undefined],
  ["http://a.h.org/", { http_proxy: P, no_proxy: "h.org" }, undefined],
  ["http://ah.org/", { http_proxy: P, no_proxy: "h.org" }, P],
  ["http://h.org:8080/", { http_proxy: P, no_proxy: "h.org:80" }, P],
  ["http://h.org/", { http_proxy: P, no_proxy: "h.org:80" }, undefined],
  ["http://127.0.0.1:1/", { http_proxy: P, no_proxy: "127.0.0.1" }, undefined],
];
for (const [url, env, expected] of CASES) {
  test(`proxyFor chooses the proxy of ${url} with ${JSON.stringify(env)}`, () =>
    assert.equal(proxyFor(url, env), expected));
}
