// Writes the documentation as static files with Eleventy. Its pages, links and anchors are those of the application.
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Eleventy } from "@11ty/eleventy";
import { build } from "vite";
import { contentsOf, linksOf, linkTarget, readPages, ROOT, searchableSections, siteUrl } from "../docs/read-pages.ts";
import { layOut } from "./page-layout.mjs";
import { headingsOf } from "../src/components/markdown/parse-markdown.ts";

const SITE = fileURLToPath(new URL(".", import.meta.url));

/** Writes the pages, their style and the search into `target`, which is emptied first; returns the number of pages. */
export async function writeSite(target) {
  const pages = readPages();
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const eleventy = new Eleventy(SITE, target, {
    quietMode: true,
    configPath: "",
    config: (config) => configure(config, pages),
  });
  await eleventy.write();
  await copyFile(join(SITE, "site.css"), join(target, "site.css"));
  for (const file of new Set(pages.flatMap((page) => filesOf(page, pages)))) {
    await mkdir(dirname(join(target, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(target, file));
  }
  await writeSearch(target, pages);
  return pages.length;
}

/** Files below docs/ that a page links to or shows: images, clients. Sources of Weft are not part of the site. */
function filesOf(page, pages) {
  const targets = linksOf(page).map((href) => linkTarget(page, href, pages));
  return targets.flatMap((target) =>
    target?.page === undefined && target?.file.startsWith("docs/") ? [target.file] : [],
  );
}

function configure(config, pages) {
  const contents = contentsOf(pages);
  config.setTemplateFormats(["md"]);
  for (const page of pages) {
    const folder = page.path === "" ? "" : `${page.path}/`;
    config.addTemplate(`${page.path || "index"}.md`, page.markdown, {
      permalink: `${folder}index.html`,
      docPage: page,
      // Documents contain {{ and {%, which other engines would read as their own.
      templateEngineOverride: "md",
    });
  }
  config.amendLibrary("md", (markdown) => amendMarkdown(markdown, pages));
  config.addTransform("layout", function (html) {
    const page = pages.find(({ path }) => path === this.page.url.slice(1, -1));
    return layOut({ page, html, pages, contents });
  });
}

/** Anchors and links as in the application; tables and code that scroll can be reached by keyboard. */
function amendMarkdown(markdown, pages) {
  markdown.set({ html: false, linkify: false });
  markdown.core.ruler.push("weft", ({ tokens, env }) => {
    const page = env.docPage;
    const ids = headingsOf(page.nodes).map(({ id }) => id);
    for (const token of tokens) {
      if (token.type === "heading_open") token.attrSet("id", ids.shift() ?? missing(page, "a heading"));
      if (token.type === "inline")
        token.children.reduce((open, child) => redirect(child, open, page, pages), undefined);
    }
    if (ids.length > 0) missing(page, ids[0]);
  });
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => "</table></div>";
  rules.fence = (tokens, index) => fence(tokens[index], markdown.utils.escapeHtml);
}

function missing({ file }, what) {
  throw new Error(`${file}: the application and the site do not read ${what} in the same way`);
}

/**
 * Points a link or an image into the site. A link to a file that is not part of it becomes plain text; returns the
 * missing targets.
 */
function redirect(token, open, page, pages) {
  if (token.type === "image") token.attrSet("src", addressOf(page, token.attrGet("src"), pages) ?? "");
  if (token.type === "link_open") {
    const address = addressOf(page, token.attrGet("href"), pages);
    if (address !== undefined) token.attrSet("href", address);
    else Object.assign(token, { tag: "span", attrs: null });
    return token;
  }
  if (token.type === "link_close") token.tag = open.tag;
  return open;
}

function addressOf(page, href, pages) {
  if (/^(https?:|#)/.test(href)) return href;
  const target = linkTarget(page, href, pages);
  if (target?.page !== undefined) return siteUrl(page, target.page, target.anchor);
  return target?.file.startsWith("docs/") ? siteFile(page, target.file) : undefined;
}

function siteFile(page, file) {
  return `${"../".repeat(page.path === "" ? 0 : page.path.split("/").length)}${file}`;
}

function fence(token, escape) {
  const [, language = ""] = /^(\w*)/.exec(token.info);
  const title = /title="([^"]*)"/.exec(token.info)?.[1];
  const label = language === "output" ? "Output" : (title ?? "Example");
  const caption = title === undefined ? "" : `<p class="file">${escape(title)}</p>`;
  return `${caption}<pre tabindex="0" role="group" aria-label="${escape(label)}" class="${escape(language)}"><code>${escape(token.content)}</code></pre>\n`;
}

/** Writes the search as one script, and its index as another, which pages load with the first search. */
async function writeSearch(target, pages) {
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      outDir: target,
      emptyOutDir: false,
      lib: { entry: join(SITE, "search-page.ts"), formats: ["iife"], name: "weftSearch", fileName: () => "search.js" },
    },
  });
  // A script and not JSON: pages that are opened as files may not fetch.
  const sections = JSON.stringify(searchableSections(pages)).replaceAll("\u2028", "\\u2028");
  await writeFile(join(target, "search-index.js"), `globalThis.weftSections = ${sections};\n`);
}
