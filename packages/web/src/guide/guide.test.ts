import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PROBLEMS } from "@weft/shared/records/refusal.ts";
import { REASON_CODES, RUN_STATES } from "@weft/shared/records/state-names.ts";
import { plainText } from "../components/markdown/parse-inline.ts";
import { parseMarkdown } from "../components/markdown/parse-markdown.ts";
import { STATE_LOOKS } from "../format/state-look.ts";

function read(topic: string): string {
  return readFileSync(new URL(`./${topic}.md`, import.meta.url), "utf8");
}

function anchors(topic: string): readonly string[] {
  return parseMarkdown(read(topic)).flatMap((block) => (block.kind === "heading" ? [block.id] : []));
}

test("every problem code has its section, and no section is about a code that does not exist", () => {
  assert.deepEqual(new Set(anchors("problems").slice(1)), new Set(Object.keys(PROBLEMS)));
});

test("every reason has its section, and every state its word", () => {
  const ids = new Set(anchors("states-and-reasons"));
  for (const code of REASON_CODES) assert.ok(ids.has(code), code);
  const table = parseMarkdown(read("states-and-reasons")).find((block) => block.kind === "table");
  const words = new Map(table?.rows.map(([word = [], state = []]) => [plainText(state), plainText(word)]));
  for (const state of RUN_STATES) assert.equal(words.get(state), STATE_LOOKS[state].word);
});
