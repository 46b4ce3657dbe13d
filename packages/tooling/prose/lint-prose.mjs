// node packages/tooling/prose/lint-prose.mjs [--all] [--area AREA] [--lower]: finds the phrases of the vocabulary in
// comments, texts and documents. It fails, and prints them, where an area has more than most-findings.json allows. --all
// prints every finding, --area those of one area. --lower records areas that have fewer; nothing here raises a limit.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import text from "@textlint/textlint-plugin-text";
import { ALLOWED } from "./allowed.ts";
import { findPhrases } from "./find-phrases.mjs";
import { maskSource } from "./mask-source.ts";
import { proseOf } from "./prose-areas.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIMITS = join(ROOT, "packages/tooling/prose/most-findings.json");
const { values: options } = parseArgs({
  options: { all: { type: "boolean" }, area: { type: "string" }, lower: { type: "boolean" } },
});

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
});
const files = listed.split("\n").filter((path) => path !== "" && existsSync(join(ROOT, path)));
const limits = JSON.parse(readFileSync(LIMITS, "utf8"));
const kernel = new TextlintKernel();
const findings = [];
const unused = new Set(ALLOWED);
for (const prose of proseOf(files)) findings.push(...(await findingsIn(prose)));

const byArea = Map.groupBy(findings, ({ area }) => area);
let failed = unused.size > 0;
for (const { path, words } of unused)
  console.log(`allowed.ts: ${path} no longer contains “${words}”; remove the entry`);
for (const area of new Set([...byArea.keys(), ...Object.keys(limits)]).values()) {
  const found = byArea.get(area) ?? [];
  const most = limits[area] ?? 0;
  const isOver = found.length > most;
  failed ||= isOver;
  if (isOver || options.all || options.area === area)
    for (const { path, line, column, message } of found) console.log(`${path}:${line}:${column}: ${message}`);
  if (isOver) console.log(`prose of ${area}: ${found.length} findings, at most ${most} are allowed`);
  if (options.lower && found.length < most) limits[area] = found.length;
}
if (options.lower) writeFileSync(LIMITS, `${JSON.stringify(limits, null, 2)}\n`);
const counts = [...byArea].sort(([a], [b]) => a.localeCompare(b)).map(([area, { length }]) => `${area} ${length}`);
console.log(`prose findings: ${findings.length}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`);
process.exit(failed ? 1 : 0);

async function findingsIn({ path, area, part }) {
  const source = readFileSync(join(ROOT, path), "utf8");
  const ext = path.endsWith(".md") ? ".md" : ".txt";
  const { messages } = await kernel.lintText(part === undefined ? source : maskSource(path, source, part), {
    filePath: `${path}${ext === ".md" ? "" : ext}`,
    ext,
    plugins: [
      { pluginId: "markdown", plugin: markdown.default },
      { pluginId: "text", plugin: text.default },
    ],
    rules: [{ ruleId: "vocabulary", rule: findPhrases }],
  });
  return messages
    .map(({ range, message }) => ({ area, path, ...positionOf(source, range[0]), message }))
    .filter(({ message }) => !isAllowed(path, message));
}

/** Lines of a masked source are not those of the source; offsets are. */
function positionOf(source, offset) {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function isAllowed(path, message) {
  const entry = ALLOWED.find((allowed) => allowed.path === path && message.startsWith(`“${allowed.words}”`));
  unused.delete(entry);
  return entry !== undefined;
}
