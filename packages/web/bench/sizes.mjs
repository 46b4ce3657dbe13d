// The bytes that the browser reads before it can draw each page, and the largest lazy file. KiB after gzip -9.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { heading, row } from "./report.mjs";

const BARS = { entry: 120, entryFiles: 6, css: 12, page: 260, opened: 260, lazyFile: 60, editor: 140 };
/** Files that load over a page that can be used already. */
const OPENED = /-(menu|menus|dialog|panel|viewer)\.tsx$/;
const dist = new URL("../dist/", import.meta.url);

export function measureSizes() {
  heading("Sizes");
  const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
  const size = (keys) => sum([...keys].map((key) => manifest[key].file));
  const bar = (limit) => ({ unit: "KiB", bar: limit, asserted: true });
  const entry = entryOf(manifest);
  row("first page, JavaScript", size(entry), {
    ...bar(BARS.entry),
    criterion: "JavaScript of the first page (gzip)",
  });
  row("first page, files of JavaScript", entry.size, { bar: BARS.entryFiles, asserted: true });
  row("first page, CSS", sum(new Set([...entry].flatMap((key) => manifest[key].css ?? []))), bar(BARS.css));
  const editor = Object.keys(manifest).find((key) => manifest[key].file.startsWith("static/editor-"));
  if (editor !== undefined) row("text editor", size([editor]), bar(BARS.editor));
  const pages = Object.entries(manifest)
    .filter(([key, chunk]) => chunk.isDynamicEntry && !manifest[key].file.startsWith("static/editor-"))
    // The text editor has a limit of its own.
    .map(([key]) => ({ key, kib: size([...closure(manifest, key, new Set(entry))].filter((file) => file !== editor)) }))
    .toSorted((a, b) => b.kib - a.kib);
  const isOpened = ({ key }) => OPENED.test(key);
  for (const { key, kib } of pages.filter((page) => !isOpened(page)).slice(0, 4))
    row(`in all with ${key}`, kib, bar(BARS.page));
  for (const { key, kib } of pages.filter(isOpened).slice(0, 3)) row(`in all with ${key}`, kib, bar(BARS.opened));
  const lazy = Object.keys(manifest)
    .filter((key) => !entry.has(key) && key !== editor && manifest[key].file.endsWith(".js"))
    .map((key) => ({ key, kib: size([key]) }))
    .toSorted((a, b) => b.kib - a.kib);
  if (lazy[0] !== undefined) row(`largest lazy file: ${lazy[0].key}`, lazy[0].kib, bar(BARS.lazyFile));
}

/** The chunks that index.html begins with, and all that they import at once. */
function entryOf(manifest) {
  const html = readFileSync(new URL("index.html", dist), "utf8");
  const named = Object.keys(manifest).filter((key) => html.includes(`src="/${manifest[key].file}"`));
  return named.reduce((seen, key) => closure(manifest, key, seen), new Set());
}

/** The chunk and all that it imports at once. */
function closure(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(manifest, next, seen);
  return seen;
}

function sum(files) {
  return [...files].reduce(
    (total, file) => total + gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length / 1024,
    0,
  );
}
