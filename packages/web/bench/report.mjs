// Prints measurements next to their limits. Sizes and violations can fail it: they are the same everywhere.
// Times depend on the machine and on its other work, so they are only printed.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

const PAGE = new URL("../../../docs/explanation/performance.md", import.meta.url);
const HEAD = "| What | Value | Limit |\n|---|---|---|\n";

const criteria = [];
let failed = 0;

export function heading(text) {
  console.log(`\n${text}`);
}

/**
 * One number. With `bar` it should not be greater, with `least` not smaller; `asserted`: otherwise the command fails. A
 * row with a `criterion` is also a line of the table in docs/explanation/performance.md.
 */
export function row(label, value, { unit = "", bar, least, asserted = false, criterion, note = "" } = {}) {
  const isMissed = (bar !== undefined && value > bar) || (least !== undefined && value < least);
  const wanted = bar !== undefined ? `≤ ${bar}` : least !== undefined ? `≥ ${least}` : "";
  const mark = wanted === "" ? " " : isMissed ? "✗" : "✓";
  if (isMissed && asserted) failed += 1;
  const number = Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 3 : 1);
  console.log(`  ${mark} ${number.padStart(9)} ${unit.padEnd(4)} ${wanted.padEnd(8)} ${label}${inBrackets(note)}`);
  const withUnit = (text) => (unit === "" ? text : `${text} ${unit}`);
  if (criterion !== undefined)
    criteria.push(
      `| ${criterion} | ${withUnit(number)}${inBrackets(note)} | ${wanted === "" ? "–" : withUnit(wanted)} |\n`,
    );
}

function inBrackets(note) {
  return note === "" ? "" : ` (${note})`;
}

/** Replaces the table in docs/explanation/performance.md by the criteria. */
export function recordCriteria() {
  const [before, table, after] = readFileSync(PAGE, "utf8").split(/(\| What \| Value \| Limit \|\n(?:\|.*\n)*)/u);
  if (table === undefined) throw new Error("docs/explanation/performance.md has no table of values and limits");
  const load = `| Load average of the machine, ${availableParallelism()} cores | ${loadavg()[0].toFixed(1)} | – |\n`;
  writeFileSync(PAGE, before + HEAD + criteria.join("") + load + after);
  console.log("\nrecorded in docs/explanation/performance.md");
}

/** The exit code: 1 if a measurement missed an asserted limit. */
export function exitCode() {
  return failed === 0 ? 0 : 1;
}
