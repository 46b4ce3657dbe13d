// The pages of the documentation, as the application and the static site show them: every Markdown file of docs/, and
// the project's own files at the root. docs/README.md is the table of contents: its headings are the sections, its links
// the pages in reading order.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import {
  elementsIn,
  headingsOf,
  type MarkdownNode,
  parseMarkdown,
  plainText,
} from "../src/components/markdown/parse-markdown.ts";
import { apiSections } from "./api-page.ts";
import type { DocSection, SearchableSection } from "./doc-types.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export { ROOT };

const PROJECT_FILES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
const DECISIONS = "docs/adr/README.md";
/** Decisions about one module, and those that no longer apply: kept in the repository, but not shown. */
const ARCHIVE = "adr/archive/";
const API = "docs/reference/api.md";

export interface DocPage {
  /** Relative to the root of the repository: `docs/how-to/use-slurm.md`. */
  readonly file: string;
  /** Path below `/doc`: `how-to/use-slurm`; "" for the contents. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  readonly nodes: readonly MarkdownNode[];
}

/** Reads all pages. The list of decisions is made from their titles. */
export function readPages(): readonly DocPage[] {
  const inDocs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith(ARCHIVE))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`);
  const pages = [...inDocs, ...PROJECT_FILES].toSorted().map((file) => pageOf(file, textOf(file)));
  return [...pages, pageOf(DECISIONS, decisionList(pages))];
}

/** Adds the sections of the contract to the page about the API. */
function textOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  return file === API ? `${text}\n${apiSections()}\n` : text;
}

function pageOf(file: string, text: string): DocPage {
  // Comments are marks for programs that write into a page.
  const markdown = text.replaceAll(/<!--.*?-->\n?/gs, "");
  const nodes = parseMarkdown(markdown);
  const title = headingsOf(nodes.slice(0, 1))[0]?.text ?? basename(file, ".md");
  return { file, path: pathOf(file), title, markdown, nodes };
}

function pathOf(file: string): string {
  if (!file.startsWith("docs/")) return file.slice(0, -".md".length).toLowerCase();
  return file.slice("docs/".length).replace(/(^|\/)README\.md$|\.md$/, "");
}

function decisionList(pages: readonly DocPage[]): string {
  const decisions = pages.filter(({ file }) => file.startsWith("docs/adr/"));
  const items = decisions.map(({ file, title }) => `- [${title}](${basename(file)})`);
  return [
    "# Decisions",
    "",
    "Each page states a decision about Weft, its reasons and its trade-offs.",
    "",
    ...items,
  ].join("\n");
}

/** The sections of docs/README.md with the pages that each links to. */
export function contentsOf(pages: readonly DocPage[]): readonly DocSection[] {
  const start = pages.find(({ path }) => path === "");
  const sections: { title: string; pages: { path: string; title: string }[] }[] = [];
  for (const node of start?.nodes ?? []) {
    const [heading] = headingsOf([node]);
    if (heading?.level === 2) sections.push({ title: heading.text, pages: [] });
    if (start === undefined || typeof node === "string" || node.tag !== "ul") continue;
    const linked = addressesIn([node]).map((href) => linkTarget(start, href, pages)?.page);
    for (const page of linked)
      if (page !== undefined) sections.at(-1)?.pages.push({ path: page.path, title: page.title });
  }
  return sections;
}

/** Every part of a page under a heading, as text to search in. */
export function searchableSections(pages: readonly DocPage[]): readonly SearchableSection[] {
  return pages.flatMap((page) => {
    const sections: { heading: string; anchor: string; texts: string[] }[] = [];
    for (const node of page.nodes) {
      const [heading] = headingsOf([node]);
      if (heading === undefined) sections.at(-1)?.texts.push(plainText([node]));
      else sections.push({ heading: heading.text, anchor: heading.id, texts: [] });
    }
    return sections.map(({ heading, anchor, texts }, index) => ({
      page: page.path,
      pageTitle: page.title,
      anchor: index === 0 ? "" : anchor,
      heading,
      text: texts.join(" "),
    }));
  });
}

/** The addresses of all links and images of a page. */
export function linksOf(page: DocPage): readonly string[] {
  return addressesIn(page.nodes);
}

function addressesIn(nodes: readonly MarkdownNode[]): readonly string[] {
  return elementsIn(nodes).flatMap(({ attributes }) => attributes["href"] ?? attributes["src"] ?? []);
}

export interface LinkTarget {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Undefined for files that are not pages, such as sources. */
  readonly page: DocPage | undefined;
  readonly anchor: string;
}

/** The target of a relative link of a page; undefined for other links and for missing files. */
export function linkTarget(from: DocPage, href: string, pages: readonly DocPage[]): LinkTarget | undefined {
  if (/^(\/|\?|[a-z]+:)/.test(href)) return undefined;
  const [path = "", anchor = ""] = href.split("#");
  const file = path === "" ? from.file : normalize(join(dirname(from.file), path)).replace(/\/$/, "");
  const page = pages.find((candidate) => candidate.file === file || candidate.file === `${file}/README.md`);
  return page !== undefined || existsSync(join(ROOT, file)) ? { file, page, anchor } : undefined;
}

/** `target` as a relative URL on a page of the static site, where each page is a folder with an index.html. */
export function siteUrl(from: DocPage, target: DocPage, anchor: string): string {
  const to = relative(from.path === "" ? "." : from.path, join(target.path, "index.html"));
  return anchor === "" ? to : `${to}#${anchor}`;
}
