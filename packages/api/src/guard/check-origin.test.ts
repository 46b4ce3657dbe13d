import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOrigin, type OriginDemand } from "./check-origin.ts";

const OURS = "http://127.0.0.1:8080";
const site = { base: OURS, prefix: "", origins: new Set([OURS]) };

type Case = readonly [
  name: string,
  demand: OriginDemand,
  headers: Readonly<Record<string, string>>,
  isAccepted: boolean,
];

const CASES: readonly Case[] = [
  ["a program without browser headers", "lenient", {}, true],
  ["a program, if a page is required", "page", {}, false],
  ["a program, if Origin is required", "origin", {}, false],
  ["our own page", "lenient", { origin: OURS, "sec-fetch-site": "same-origin" }, true],
  ["our own page in an old browser", "page", { origin: OURS }, true],
  ["our own page with Sec-Fetch-Site only", "page", { "sec-fetch-site": "same-origin" }, true],
  ["Sec-Fetch-Site does not replace Origin", "origin", { "sec-fetch-site": "same-origin" }, false],
  ["our Origin for a socket", "origin", { origin: OURS }, true],
  ["another site", "lenient", { origin: "http://evil.example" }, false],
  ["another port", "lenient", { origin: "http://127.0.0.1:8081" }, false],
  ["another scheme", "lenient", { origin: "https://127.0.0.1:8080" }, false],
  ["Origin: null", "lenient", { origin: "null" }, false],
  ["cross-site without Origin", "lenient", { "sec-fetch-site": "cross-site" }, false],
  ["another port of this machine", "lenient", { "sec-fetch-site": "same-site" }, false],
  ["typed by the user", "lenient", { "sec-fetch-site": "none" }, true],
  ["our Origin, but cross-site", "lenient", { origin: OURS, "sec-fetch-site": "cross-site" }, false],
  ["only our own Referer", "lenient", { referer: `${OURS}/runs` }, true],
  ["only a Referer of another site", "lenient", { referer: "http://evil.example/127.0.0.1:8080" }, false],
  ["only a Referer that is not an address", "lenient", { referer: "nowhere" }, false],
];

test("checkOrigin refuses pages of other origins", async (t) => {
  for (const [name, demand, headers, isAccepted] of CASES) {
    await t.test(`checks ${demand}: ${name}`, () => {
      assert.equal(checkOrigin(headers, site, demand)?.code, isAccepted ? undefined : "cross-origin");
    });
  }
});
