import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBaseUrl } from "./base-address.ts";
import { createHostPolicy } from "./host-policy.ts";

const BASE = parseBaseUrl("https://lab.example/weft/");

const CASES: readonly (readonly [host: string, base: string | undefined])[] = [
  ["127.0.0.1:8080", "https://lab.example/weft"],
  ["LOCALHOST:8080", "https://lab.example/weft"],
  ["[::1]:8080", "https://lab.example/weft"],
  ["127.0.0.2:8080", "https://lab.example/weft"],
  ["lab.example", "https://lab.example/weft"],
  ["other.example:8080", "https://lab.example/weft"],
  ["127.0.0.1", undefined],
  ["127.0.0.1:8081", undefined],
  ["lab.example:8080", undefined],
  ["localhost.:8080", undefined],
  ["127.0.0.1.evil.example:8080", undefined],
  ["evil.example:8080", undefined],
];

test("the host policy accepts its names only with their exact port", async (t) => {
  const policy = createHostPolicy({
    boundHost: "127.0.0.2",
    port: 8080,
    base: BASE,
    allowedHosts: ["Other.example:8080"],
  });
  for (const [host, base] of CASES) await t.test(host, () => assert.equal(policy(host)?.base, base));
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
