import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRequestTarget } from "./admit-request.ts";

const FIT = [
  "/",
  "/api/runs?state=RUNNING",
  "/api/runs/x/files/a%20b/%5Cc%2Fd.txt",
  "/api/tools/..hidden",
  "/?q=../x%25",
  "/a...b",
];

const UNFIT = [
  ["http://[::1", /begin with a slash/],
  ["http://127.0.0.1/api/runs", /begin with a slash/],
  ["*", /begin with a slash/],
  ["", /begin with a slash/],
  ["//evil.example/", /two slashes/],
  ["/api/%00", /null/],
  ["/api?q=%00", /null/],
  ["/static/%2e%2e/secret", /`\.\.` segment/],
  ["/static/..", /`\.\.` segment/],
  ["/static/a%2F..%2fb", /`\.\.` segment/],
  ["/a/./b", /`\.\.` segment/],
  ["/a\\b", /percent-encoded/],
  ["/a#b", /percent-encoded/],
  ["/caf\u00e9", /percent-encoded/],
  ["/100%", /starts no escape/],
  ["/api/runs?q=%ff", /not UTF-8/],
  ["/api/runs?q=%ed%a0%80", /not UTF-8/],
  ["/%zz", /starts no escape/],
  [`/${"a".repeat(8192)}`, /longer/],
] as const;

test("checkRequestTarget refuses unclear targets", async (t) => {
  for (const target of FIT)
    await t.test(`lets ${target} through`, () => assert.equal(checkRequestTarget(target), undefined));
  for (const [target, reason] of UNFIT) {
    await t.test(`refuses ${target.slice(0, 40)}`, () => {
      const refusal = checkRequestTarget(target);
      assert.equal(refusal?.code, "bad-request-target");
      assert.match(refusal?.message ?? "", reason);
    });
  }
});
