import assert from "node:assert/strict";
import { test } from "node:test";
import { abortedText } from "./aborted-text.ts";

test("abortedText tells runs that ended from those that still stop, and says why one was refused", () => {
  const ended = { status: "fulfilled", value: undefined } as const;
  const stopping = { status: "fulfilled", value: { state: "CANCELING" } } as const;
  const refused = { status: "rejected", reason: new Error("You may not abort it") } as const;
  assert.equal(abortedText([ended, ended, ended]), "3 runs ended");
  assert.equal(abortedText([stopping]), "1 run is still stopping");
  assert.equal(
    abortedText([ended, stopping, stopping, refused]),
    "1 run ended, 2 are still stopping, 1 could not be aborted: You may not abort it",
  );
  assert.equal(abortedText([refused, refused]), "2 runs could not be aborted: You may not abort it");
});
