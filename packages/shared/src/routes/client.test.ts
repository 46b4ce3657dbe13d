import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, createClient } from "./client.ts";

async function refusal(status: number, body: string, type = "application/problem+json"): Promise<ApiError> {
  const answer = async () => new Response(body, { status, headers: { "content-type": type } });
  return createClient("", answer)("GET /api/session", {}).then(
    () => assert.fail("the answer is a refusal"),
    (error: unknown) => {
      assert.ok(error instanceof ApiError);
      return error;
    },
  );
}

test("a refusal of Weft has its own explanation", async () => {
  const problem = { code: "internal", title: "No", detail: "The disk is full", errors: [] };
  const error = await refusal(500, JSON.stringify(problem));
  assert.equal(error.message, "The disk is full");
  assert.deepEqual(error.problem, problem);
});

test("the refusal of a proxy is explained by its status, whatever it contains", async () => {
  const cases: [number, string, string?][] = [
    [413, "The request is too large for this server (413)"],
    [502, "The proxy cannot reach the Weft server (502)"],
    [503, "The proxy cannot reach the Weft server (503)"],
    [504, "The proxy cannot reach the Weft server (504)"],
    [418, "The server answered 418"],
  ];
  const bodies = ["<html>", "{", "null", '{"detail":"x"}', '{"code":1,"detail":"x","errors":null}'];
  for (const [status, message] of cases)
    for (const body of bodies) {
      const error = await refusal(status, body);
      assert.equal(error.message, message);
      assert.equal(error.problem, undefined);
    }
});
