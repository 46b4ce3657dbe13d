// The frame of a page of the site: search and contents, the page, its headings, its neighbors.
import { headingsOf } from "../src/components/markdown/parse-markdown.ts";
import { siteUrl } from "../docs/read-pages.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

export function layOut({ page, html, pages, contents }) {
  const root = "../".repeat(page.path === "" ? 0 : page.path.split("/").length);
  const url = (path) =>
    siteUrl(
      page,
      pages.find((candidate) => candidate.path === path),
      "",
    );
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(page.title)} - Weft documentation</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a href="${url("")}">Weft documentation</a>
<search><label for="search">Search</label> <input id="search" type="search" autocomplete="off" aria-describedby="search-count"></search></header>
<div class="columns">
<nav aria-label="Contents">
<details open><summary>Contents</summary>
${contents.map((section) => sectionList(section, page, url)).join("\n")}
</details>
</nav>
<main id="content">
<section id="hits" aria-label="Search results" hidden><p id="search-count" role="status"></p><ol></ol></section>
<article>
${html}</article>
${neighbors(page, contents, url)}
</main>
<nav class="headings" aria-label="On this page">
<p>On this page</p>
<ul>
${headings(page)}
</ul>
</nav>
</div>
</body>
</html>
`;
}

function sectionList({ title, pages }, page, url) {
  const items = pages.map(
    ({ path, title: name }) =>
      `<li><a href="${url(path)}"${path === page.path ? ' aria-current="page"' : ""}>${escape(name)}</a></li>`,
  );
  return `<p>${escape(title)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function headings({ nodes }) {
  return headingsOf(nodes.slice(1))
    .filter(({ level }) => level <= 3)
    .map(({ id, level, text }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`)
    .join("\n");
}

function neighbors(page, contents, url) {
  const inOrder = contents.flatMap(({ pages }) => pages);
  const index = inOrder.findIndex(({ path }) => path === page.path);
  if (index < 0) return "";
  const link = (found, text, rel) =>
    found === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${url(found.path)}">${text(escape(found.title))}</a>`;
  return `<nav class="neighbors" aria-label="Next and previous page">
${link(inOrder[index - 1], (title) => `← ${title}`, "prev")}
${link(inOrder[index + 1], (title) => `${title} →`, "next")}
</nav>`;
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
