import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parseMarkdown } from "../components/markdown/parse-markdown.ts";

const folder = new URL("./", import.meta.url);
const chapters = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name.slice(0, -3), readFileSync(new URL(name, folder), "utf8")]),
);

/** Addresses of pages; those that begin so belong to one thing and have an id behind it. */
const PAGES = new Set([
  "/",
  "/networks",
  "/runs",
  "/tool",
  "/prov",
  "/websocketclient",
  "/server",
  "/shutdown",
  "/doc",
  "/api/doc/",
]);

function anchors(text: string): ReadonlySet<string> {
  return new Set(parseMarkdown(text).flatMap((block) => (block.kind === "heading" ? [block.id] : [])));
}

/** What is wrong with the target of a link; undefined for a good one. */
function fault(target: string): string | undefined {
  const [, path = "", topic, , anchor] = /^([^?#]*)(?:\?topic=([\w-]+))?(#(.+))?$/.exec(target) ?? [];
  if (topic === undefined) return PAGES.has(path) ? undefined : "no page is there";
  if (path !== "/doc" && path !== "") return "only /doc has chapters";
  const chapter = chapters.get(topic);
  if (chapter === undefined) return "no such chapter";
  return anchor === undefined || anchors(chapter).has(anchor) ? undefined : "no such section";
}

test("every link of the guide leads to a page, a chapter or a section that is there", () => {
  const links = [...chapters].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => ({ name, target: match[1] ?? "" })),
  );
  assert.ok(links.length > 10);
  for (const { name, target } of links) assert.equal(fault(target), undefined, `${name}.md: ${target}`);
});

test("links that lead nowhere are found", () => {
  for (const target of ["/nowhere", "?topic=nothing", "/doc?topic=problems#nothing", "/runs?topic=problems"])
    assert.notEqual(fault(target), undefined, target);
});

test("links of pages into the guide lead to chapters and sections that are there", () => {
  const source = new URL("../", import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  // What follows `${` is a code of a problem or a state, which the guide's other test is about.
  const links = files.flatMap((name) =>
    [...readFileSync(new URL(name, source), "utf8").matchAll(/\/doc\?topic=[\w-]+(?:#[\w-]+)?/g)].map(
      ([target]) => target,
    ),
  );
  assert.ok(links.length > 5);
  for (const target of links) assert.equal(fault(target), undefined, target);
});
