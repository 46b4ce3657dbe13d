import assert from "node:assert/strict";
import { test } from "node:test";
import { threadMs } from "@weft/shared/testing/thread-time.ts";
import { elementsIn, type MarkdownNode, parseMarkdown, plainText } from "./parse-markdown.ts";

test("parseMarkdown reads emphasis, code and links", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["plain", "plain"],
    ["a `b *c*` d", "a <code>b *c*</code> d"],
    ["**a *b* c**", "<strong>a <em>b</em> c</strong>"],
    ["an _even_ snake_case_name", "an <em>even</em> snake_case_name"],
    ["[a](../b.md#c)", "<a href=../b.md#c>a</a>"],
    ["[runs](/runs)", "<a href=/runs>runs</a>"],
    ["[x](//example.org)", "[x](//example.org)"],
    ["[x](javascript:alert(1))", "[x](javascript:alert(1))"],
    ["![x](data:image/png;base64,AA==)", "![x](data:image/png;base64,AA==)"],
    ["<b>2 * 3</b>", "[b]2 * 3[/b]"],
    ["a \\\nb &amp; c", "a <br></br>b & c"],
  ];
  for (const [line, shown] of cases) assert.equal(textOf(parseMarkdown(line)), `<p>${shown}</p>`, line);
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
    "  1. nested",
    "",
    "     on two lines",
    "",
    "3. third",
    "4. fourth",
    "",
    "```sh",
    "# not a heading",
    "",
    "npm start",
    "```",
    "> quoted",
    "",
    "| a | b |",
    "| - | - |",
    "| `1` | x \\| y |",
    "",
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
  assert.deepEqual(
    parseMarkdown(source).map((node) => textOf([node])),
    [
      "<h1 id=getting-started>Getting started</h1>",
      "<p>First line\nsecond line.</p>",
      "<h2 id=invalid-inputs><code>invalid-inputs</code></h2>",
      "<ul><li>one\ngoes on</li><li>two<ol><li><p>nested</p><p>on two lines</p></li></ol></li></ul>",
      "<ol start=3><li>third</li><li>fourth</li></ol>",
      "<pre language=sh># not a heading\n\nnpm start</pre>",
      "<blockquote><p>quoted</p></blockquote>",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead>" +
        "<tbody><tr><td><code>1</code></td><td>x | y</td></tr></tbody></table>",
      "<p>[script]alert(1)[/script]</p>",
      "<pre title=a/b.cwl language=yaml>class: X</pre>",
      "<p><img src=../images/a.svg alt=A *plot*></img></p>",
      "<h2 id=oom_killed><code>OOM_KILLED</code></h2>",
      "<h2 id=whats-new--and-old>What's new — and old</h2>",
      "<h2 id=oom_killed-1><code>OOM_KILLED</code></h2>",
    ],
  );
});

test("plainText keeps the words of blocks apart", () => {
  assert.equal(plainText(parseMarkdown("**a**b [c](/d)\n- x\n- y\n\n![z](z.svg)")), "ab c x y z");
});

test("deeper marks than 20 levels are left out, and nothing overflows", () => {
  const nodes = parseMarkdown(`${">".repeat(10_000)}a`);
  assert.ok(elementsIn(nodes).length <= 20, String(elementsIn(nodes).length));
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

/** The nodes as text; angle brackets of the source are square. */
function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node.replaceAll("<", "[").replaceAll(">", "]");
      const attributes = Object.entries(node.attributes).map(([name, value]) =>
        value === "" ? "" : ` ${name}=${value}`,
      );
      return `<${node.tag}${attributes.join("")}>${textOf(node.children)}</${node.tag}>`;
    })
    .join("");
}
