import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FetchProblem, statusProblem, toFetchProblem } from "./fetch-problem.ts";

const failed = (code: string, more: { readonly message?: string; readonly syscall?: string } = {}) =>
  Object.assign(new Error(more.message ?? code), { code, ...more });

describe("toFetchProblem", () => {
  const cases: readonly (readonly [Error, string, boolean])[] = [
    [failed("ENOTFOUND"), "its host is unknown", false],
    [failed("ECONNRESET"), "the connection was lost", true],
    [
      failed("DEPTH_ZERO_SELF_SIGNED_CERT", { message: "self-signed certificate; if the root CA is installed, try" }),
      "its certificate is not trusted (self-signed certificate)",
      false,
    ],
    [failed("HPE_INVALID_CONSTANT", { message: "Parse Error: Expected HTTP/" }), "Parse Error: Expected HTTP/", false],
  ];
  for (const [error, message, isPassing] of cases) {
    it(`says that ${message}`, () => {
      const problem = toFetchProblem(error);
      assert.ok(problem instanceof FetchProblem);
      assert.deepEqual([problem.message, problem.isPassing], [message, isPassing]);
    });
  }

  const others: readonly Error[] = [failed("ENOSPC", { syscall: "write" }), new DOMException("stop", "AbortError")];
  for (const error of others) {
    it(`does not change ${error.message}`, () => assert.equal(toFetchProblem(error), error));
  }
});

describe("statusProblem", () => {
  const cases: readonly (readonly [number, RegExp, boolean])[] = [
    [401, /access denied/, false],
    [404, /file not found/, false],
    [418, /^the server answered 418$/, false],
    [429, /429/, true],
    [503, /503/, true],
  ];
  for (const [status, message, isPassing] of cases) {
    it(`explains ${status}`, () => {
      const problem = statusProblem(status, "");
      assert.match(problem.message, message);
      assert.deepEqual([problem.status, problem.isPassing], [status, isPassing]);
    });
  }
});
