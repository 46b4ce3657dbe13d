import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBaseUrl } from "./base-address.ts";
import { createHostPolicy } from "./host-policy.ts";

const BASE = parseBaseUrl("https://lab.example/weft/");

const ACCEPTED = [
  "127.0.0.1:8080",
  "LOCALHOST:8080",
  "[::1]:8080",
  "127.0.0.2:8080",
  "lab.example",
  "other.example:8080",
];
const OTHER_PORTS = ["127.0.0.1", "127.0.0.1:8081", "lab.example:8080"];
const OTHER_NAMES = ["localhost.:8080", "127.0.0.1.evil.example:8080", "evil.example:8080"];

test("the host policy accepts its names only with their exact port", async (t) => {
  const options = { boundHost: "127.0.0.2", port: 8080, base: BASE, allowedHosts: ["Other.example:8080"] };
  const policy = createHostPolicy(options);
  for (const host of ACCEPTED)
    await t.test(`accepts ${host}`, () => assert.equal(policy(host)?.base, "https://lab.example/weft"));
  for (const host of [...OTHER_PORTS, ...OTHER_NAMES])
    await t.test(`refuses ${host}`, () => assert.equal(policy(host), undefined));
});

test("without a base address, links follow the name that was used", () => {
  const policy = createHostPolicy({ boundHost: "127.0.0.1", port: 80, base: undefined, allowedHosts: [] });
  assert.equal(policy("localhost")?.base, "http://localhost");
  assert.equal(policy("localhost:80")?.base, "http://localhost:80");
  assert.deepEqual([...(policy("127.0.0.1")?.origins ?? [])], ["http://127.0.0.1"]);
});

test("the name of the base address counts only with its own scheme", () => {
  const policy = createHostPolicy({ boundHost: "127.0.0.1", port: 8080, base: BASE, allowedHosts: [] });
  assert.deepEqual([...(policy("lab.example")?.origins ?? [])], ["https://lab.example"]);
  assert.deepEqual([...(policy("127.0.0.1:8080")?.origins ?? [])], ["http://127.0.0.1:8080", "https://lab.example"]);
});
