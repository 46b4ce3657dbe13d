import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBaseUrl } from "./base-address.ts";
import { ServerConfigurationError } from "./server-configuration-error.ts";

test("parseBaseUrl takes an address apart", () => {
  assert.deepEqual(parseBaseUrl("https://lab.example/weft/"), {
    origin: "https://lab.example",
    host: "lab.example",
    prefix: "/weft",
  });
  assert.deepEqual(parseBaseUrl("http://lab.example:8443"), {
    origin: "http://lab.example:8443",
    host: "lab.example:8443",
    prefix: "",
  });
});

test("parseBaseUrl refuses URLs that are not a base address", async (t) => {
  for (const text of [
    "lab.example",
    "ftp://lab.example",
    "http://user@lab.example",
    "http://lab.example/?a=1",
    "http://lab.example/#a",
    "",
  ]) {
    await t.test(text, () => assert.throws(() => parseBaseUrl(text), ServerConfigurationError));
  }
});
