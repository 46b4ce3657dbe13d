// npm run reliability [-- --kills N --runs N --races N]: runs the crash, abort and race tests one after the other and writes what
// they print into docs/reliability.md, between its two markers. Ends with 1 when any of them found a fault.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, ROOT } from "../install.mjs";
import { numbersFrom } from "./command-numbers.mjs";

const PAGE = join(ROOT, "docs/reliability.md");
const BEGIN = "<!-- figures: npm run reliability -->";
const END = "<!-- end of figures -->";

const { kills, runs, races } = numbersFrom(process.argv.slice(2), { kills: 100, runs: 200, races: 50 });
ensureInstalled();
const results = [
  measure("crash", "--kills", kills),
  measure("abort", "--runs", runs),
  measure("race", "--races", races),
];
const day = new Date().toISOString().slice(0, 10);
const machine = `${day}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
const figures = ["```", machine, ...results.map(({ printed }) => printed), "```"].join("\n");
writeFileSync(PAGE, withFigures(readFileSync(PAGE, "utf8"), figures));
process.exitCode = results.every(({ sound }) => sound) ? 0 : 1;

function measure(name, flag, count) {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, flag, String(count)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  return { sound: status === 0, printed: status === 0 ? stdout.trimEnd() : `${stdout}${name} ended with ${status}` };
}

function withFigures(page, text) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} lacks the lines "${BEGIN}" and "${END}"`);
  return `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
}
