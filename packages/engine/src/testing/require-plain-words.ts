// Words that no text for people may contain. The helpers through which tests see such texts call this, so every test
// checks it.
import assert from "node:assert/strict";
import { constants } from "node:os";

const RAW = new RegExp(
  [
    String.raw`/proc/self/`,
    String.raw`\b(?:${Object.keys(constants.errno).join("|")})\b`,
    String.raw`^ +at .*:\d+:\d+\)?$`,
  ].join("|"),
  "m",
);

/** Refuses the names of system errors, paths of descriptors and lines of a stack. */
export function requirePlainWords(text: string): void {
  const found = RAW.exec(text);
  assert.equal(found, null, `"${found?.[0]}" says nothing to people: ${text}`);
}
