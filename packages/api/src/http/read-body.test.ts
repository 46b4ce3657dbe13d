import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { readBody } from "./read-body.ts";

test("stops waiting for a body that does not arrive", async () => {
  const request = new IncomingMessage(new Socket());
  request.push("half");
  const reading = readBody(request, new ServerResponse(request), { limitBytes: 100, deadlineMs: 1 });
  await assert.rejects(reading, { name: "Refusal", code: "request-timeout" });
  assert.deepEqual([request.listenerCount("data"), request.destroyed], [0, false]);
});
