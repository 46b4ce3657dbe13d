import assert from "node:assert/strict";
import { test } from "node:test";
import { equalSecrets, readSession, writeSession } from "./session-cookie.ts";

const KEY = { token: "a" };

test("a session is read until it ends, and with its own key only", () => {
  const session = writeSession(1000, KEY);
  assert.deepEqual([readSession(session, 999, KEY), readSession(session, 1000, KEY)], [1000, undefined]);
  assert.equal(readSession(session, 0, { token: "b" }), undefined);
  for (const wrong of ["", ".", "1000", "1000.", "1e3.x", `${session}.x`.replace("1000", "2000")])
    assert.equal(readSession(wrong, 0, KEY), undefined, wrong);
});

test("secrets of different lengths are compared too", () => {
  assert.deepEqual([equalSecrets("a", "a"), equalSecrets("a", "ab"), equalSecrets("", "a")], [true, false, false]);
});
