import assert from "node:assert/strict";
import { test } from "node:test";
import { threadMs } from "@weft/shared/testing/thread-time.ts";
import { parseInline, plainText } from "./parse-inline.ts";
import { parseMarkdown, type Block } from "./parse-markdown.ts";

test("parseInline reads emphasis, code and links", () => {
  const text = (words: string) => ({ kind: "text", text: words });
  const cases: [string, unknown][] = [
    ["plain", [text("plain")]],
    ["a `b *c*` d", [text("a "), { kind: "code", text: "b *c*" }, text(" d")]],
    ["**a *b* c**", [{ kind: "strong", children: [text("a "), { kind: "em", children: [text("b")] }, text(" c")] }]],
    ["an _even_ snake_case_name", [text("an "), { kind: "em", children: [text("even")] }, text(" snake_case_name")]],
    ["[a](../b.md#c)", [{ kind: "link", href: "../b.md#c", children: [text("a")] }]],
    ["[x](//example.org)", [text("[x](//example.org)")]],
    ["[runs](/runs)", [{ kind: "link", href: "/runs", children: [text("runs")] }]],
    ["[x](javascript:alert(1))", [text("[x](javascript:alert(1)"), text(")")]],
    ["<b>2 * 3</b>", [text("<b>2 * 3</b>")]],
  ];
  for (const [line, parts] of cases) assert.deepEqual(parseInline(line), parts, line);
  assert.equal(plainText(parseInline("**a** `b` [c](/d)")), "a b c");
});

test("parseMarkdown reads each kind of block", () => {
  const source = [
    "# Getting started",
    "First line",
    "second line.",
    "## `invalid-inputs`",
    "- one",
    "  goes on",
    "- two",
    "",
    "1. first",
    "2. second",
    "```sh",
    "# not a heading",
    "",
    "npm start",
    "```",
    "| a | b |",
    "| - | - |",
    "| `1` | x \\| y |",
    "<script>alert(1)</script>",
    "",
    '```yaml title="a/b.cwl"',
    "class: X",
    "```",
    "![A *plot*](../images/a.svg)",
    "## `OOM_KILLED`",
    "## What's new — and old",
    "## `OOM_KILLED`",
  ].join("\n");
  const shapes = parseMarkdown(source).map(shapeOf);
  assert.deepEqual(shapes, [
    "heading 1 getting-started",
    "paragraph First line second line.",
    "heading 2 invalid-inputs",
    "list one goes on; two",
    "ordered first; second",
    "code sh # not a heading\n\nnpm start",
    "table a, b / 1, x | y",
    "paragraph <script>alert(1)</script>",
    "code yaml a/b.cwl class: X",
    "image A *plot* ../images/a.svg",
    "heading 2 oom_killed",
    "heading 2 whats-new--and-old",
    "heading 2 oom_killed-1",
  ]);
});

const HOSTILE = [
  "[",
  "[a](",
  "![",
  "[a](<",
  "[\\",
  "*a ",
  "**a *b ",
  "**",
  "`a``",
  "```\n",
  "|a\n",
  "- a\n",
  "# a\n",
  "\n ",
  ">",
  "<a ",
];
for (const part of HOSTILE)
  test(`the time for ${JSON.stringify(part)} again and again grows with its length`, () => {
    const timeFor = (times: number): number => {
      const text = part.repeat(times);
      const start = threadMs();
      parseMarkdown(text);
      return threadMs() - start;
    };
    timeFor(1000);
    const [short, long] = [timeFor(2000), timeFor(32_000)];
    assert.ok(long < 100 * Math.max(short, 5), `${short} ms, sixteen times as long: ${long} ms`);
  });

function shapeOf(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `heading ${block.level} ${block.id}`;
    case "paragraph":
      return `paragraph ${plainText(block.content)}`;
    case "list":
      return `${block.ordered ? "ordered" : "list"} ${block.items.map(plainText).join("; ")}`;
    case "code":
      return ["code", block.language, block.attributes["title"] ?? [], block.text].flat().join(" ");
    case "image":
      return `image ${block.alt} ${block.source}`;
    case "table":
      return `table ${[block.head, ...block.rows].map((row) => row.map(plainText).join(", ")).join(" / ")}`;
  }
}
