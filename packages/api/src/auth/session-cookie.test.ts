import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { equalSecrets, readSession, writeSession } from "./session-cookie.ts";

const KEY = { token: "a" };
const ANN = { principal: "ann", role: "runner", endMs: 1000, tokenHash: "00" } as const;

function signed(text: string): string {
  return `${text}.${createHmac("sha256", KEY.token).update(`weft session ${text}`).digest("base64url")}`;
}

test("a session is read until it ends, and with its own key only", () => {
  const session = writeSession(ANN, KEY);
  assert.deepEqual([readSession(session, 999, KEY), readSession(session, 1000, KEY)], [ANN, undefined]);
  assert.equal(readSession(session, 0, { token: "b" }), undefined);
  const forged = Buffer.from(JSON.stringify({ ...ANN, role: "admin" })).toString("base64url");
  const [text = "", signature = ""] = session.split(".");
  for (const wrong of ["", ".", text, `${text}.`, `${forged}.${signature}`, `${forged}.`, `${session}x`])
    assert.equal(readSession(wrong, 0, KEY), undefined, wrong);
});

test("a signed text that is not a session is refused", () => {
  for (const text of ["1000", Buffer.from('{"principal":"ann"}').toString("base64url"), ""])
    assert.equal(readSession(signed(text), 0, KEY), undefined, text);
});

test("secrets of different lengths are compared too", () => {
  assert.deepEqual([equalSecrets("a", "a"), equalSecrets("a", "ab"), equalSecrets("", "a")], [true, false, false]);
});
