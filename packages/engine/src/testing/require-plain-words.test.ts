import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { requirePlainWords } from "./require-plain-words.ts";

function messageOfSystem(): string {
  try {
    return readFileSync("/nowhere", "utf8");
  } catch (error) {
    return String(error);
  }
}

describe("requirePlainWords", () => {
  const RAW = {
    "the message of a system error": messageOfSystem(),
    "the name of a system error": "cannot listen there (EADDRINUSE)",
    "the path of a descriptor": "there is nothing at /proc/self/fd/28/missing",
    "a stack": new Error("no").stack ?? "",
  };
  for (const [what, text] of Object.entries(RAW))
    it(`refuses ${what}`, () => assert.throws(() => requirePlainWords(text), /says nothing to people/));

  it("accepts words", () => requirePlainWords("permission denied: /data/x\n  at line 3:4 of EXAMPLE"));
});
