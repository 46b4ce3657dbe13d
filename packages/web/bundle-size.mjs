// Prints what the browser reads in all before each page can be drawn, and the largest lazy file; fails above the bars.
// Sizes in KiB after gzip -9.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BARS = { entry: 115, css: 12, page: 175, lazyFile: 60 };

const dist = new URL("./dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** KiB of a built file after compression. */
function kib(file) {
  return gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length / 1024;
}

/** The chunk and all that it imports at once. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
}

function sum(files) {
  return [...files].reduce((total, file) => total + kib(file), 0);
}

const entry = closure("index.html");
const sizes = [
  { name: "first page, JavaScript", size: sum([...entry].map((key) => manifest[key].file)), bar: BARS.entry },
  { name: "first page, CSS", size: sum(new Set([...entry].flatMap((key) => manifest[key].css ?? []))), bar: BARS.css },
];
for (const [key, chunk] of Object.entries(manifest)) {
  if (chunk.isDynamicEntry)
    sizes.push({
      name: key,
      size: sum([...closure(key, new Set(entry))].map((part) => manifest[part].file)),
      bar: BARS.page,
    });
}
const lazy = Object.keys(manifest).filter((key) => !entry.has(key) && manifest[key].file.endsWith(".js"));
const largest = lazy.map((key) => ({ key, size: kib(manifest[key].file) })).sort((a, b) => b.size - a.size)[0];
sizes.push({ name: `largest lazy file: ${largest.key}`, size: largest.size, bar: BARS.lazyFile });
for (const { name, size, bar } of sizes) console.log(`${size.toFixed(1).padStart(7)} KiB of ${bar}  ${name}`);
process.exitCode = sizes.some(({ size, bar }) => size > bar) ? 1 : 0;
