import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMarkdown } from "../../components/markdown/parse-markdown.ts";
import { searchTopics } from "./search-topics.ts";

const topics = [
  {
    id: "a",
    title: "First",
    blocks: parseMarkdown("Start here with a file.\n\n## Uploads\nA file is sent in one piece."),
  },
  { id: "b", title: "Second", blocks: parseMarkdown("## File names\nThey stay.\n\n```sh\nweft serve\n```") },
];

test("searchTopics finds sections that hold all words, headings first", () => {
  const cases: [string, string[]][] = [
    ["file", ["b#file-names", "a#", "a#uploads"]],
    ["file PIECE", ["a#uploads"]],
    ["weft serve", ["b#file-names"]],
    ["nothing", []],
    ["  ", []],
  ];
  for (const [words, found] of cases) {
    assert.deepEqual(
      searchTopics(topics, words).map(({ topic, anchor }) => `${topic}#${anchor}`),
      found,
      words,
    );
  }
});
