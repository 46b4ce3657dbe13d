import assert from "node:assert/strict";
import { test } from "node:test";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import text from "@textlint/textlint-plugin-text";
import { findPhrases } from "../prose/find-phrases.mjs";

async function findings(name: string, source: string): Promise<string[]> {
  const { messages } = await new TextlintKernel().lintText(source, {
    filePath: name,
    ext: name.slice(name.lastIndexOf(".")),
    plugins: [
      { pluginId: "markdown", plugin: markdown.default },
      { pluginId: "text", plugin: text.default },
    ],
    rules: [{ ruleId: "vocabulary", rule: findPhrases }],
  });
  return messages.map(({ line, column, message }) => `${line}:${column} ${/“(.*)”/.exec(message)?.[1]}`);
}

test("phrases in Markdown are found across lines and in tables, but not in code and addresses", async () => {
  const source =
    "# News\n\nThe log goes\non. `stands` [x](http://at.hand/beside)\n\n| a |\n|---|\n| put right |\n\n```\nbeside\n```\n";
  assert.deepEqual(await findings("a.md", source), ["1:3 News", "3:9 goes on", "8:3 put right"]);
});

test("each line of a masked source is a separate piece", async () => {
  assert.deepEqual(await findings("a.ts.txt", "  it goes\non  stands here"), ["2:5 stands"]);
  assert.deepEqual(await findings("a.ts.txt", "x\n Of one value. "), ["2:2 Of"]);
});
