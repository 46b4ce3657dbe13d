// npx node packages/tooling/prose/lint-prose.mjs [--area AREA]: finds the phrases of the vocabulary, and sentences without a
// subject, in comments, texts, names of tests and documents, prints them, and fails if there are any. --area prints only
// those of one area, such as "web texts".
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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
const { area: selectedArea } = parseArgs({ options: { area: { type: "string" } } }).values;

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
});
const files = listed.split("\n").filter((path) => path !== "" && existsSync(join(ROOT, path)));
const kernel = new TextlintKernel();
const findings = [];
const unused = new Set(ALLOWED);
for (const prose of proseOf(files)) findings.push(...(await findingsIn(prose)));

for (const { path, words } of unused)
  console.log(`allowed.ts: ${path} no longer contains “${words}”; remove the entry`);
for (const { area, path, line, column, message } of findings)
  if (selectedArea === undefined || area === selectedArea) console.log(`${path}:${line}:${column}: ${message}`);
const counts = [...Map.groupBy(findings, ({ area }) => area)].map(([area, { length }]) => `${area} ${length}`);
console.log(`prose findings: ${findings.length}${counts.length === 0 ? "" : ` (${counts.sort().join(", ")})`}`);
process.exit(findings.length + unused.size === 0 ? 0 : 1);

async function findingsIn({ path, area, part }) {
  const source = readFileSync(join(ROOT, path), "utf8");
  const ext = path.endsWith(".md") ? ".md" : ".txt";
  const kind = part ?? (ext === ".md" ? "markdown" : "texts");
  const { messages } = await kernel.lintText(part === undefined ? source : maskSource(path, source, part), {
    filePath: `${path}${ext === ".md" ? "" : ext}`,
    ext,
    plugins: [
      { pluginId: "markdown", plugin: markdown.default },
      { pluginId: "text", plugin: text.default },
    ],
    rules: [{ ruleId: "phrases", rule: findPhrases, options: { kind } }],
  });
  return messages
    .map(({ range, message }) => ({ area, path, ...positionOf(source, range[0]), message }))
    .filter(({ message }) => !isAllowed(path, message));
}

/** Line numbers differ between the masked source and the source; offsets do not. */
function positionOf(source, offset) {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function isAllowed(path, message) {
  const entry = ALLOWED.find((allowed) => allowed.path === path && message.startsWith(`“${allowed.words}”`));
  unused.delete(entry);
  return entry !== undefined;
}
