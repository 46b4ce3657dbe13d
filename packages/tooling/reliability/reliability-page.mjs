import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";

const PAGE = join(ROOT, "docs/contributing/laboratory.md");

/** Writes the results of a command into docs/contributing/laboratory.md, between its marker and the end of figures. */
export function writeFigures(command, text) {
  const begin = `<!-- figures: ${command} -->`;
  const end = "<!-- end of figures -->";
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`${PAGE} lacks the lines "${begin}" and "${end}"`);
  writeFileSync(PAGE, `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`);
}
