// Records the history of the part `jobs`: a table at the end of docs/explanation/performance.md, and a plot of it.
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";
import { plotHistory } from "./plot-history.mjs";

const PAGE = join(ROOT, "docs/explanation/performance.md");
const PLOT = join(ROOT, "docs/images/performance.svg");

/** Adds a row to the table and redraws the plot. */
export function recordFigures(figures, { rounds, jobs, load }) {
  const titles = readHistory(readFileSync(PAGE, "utf8")).titles;
  const cells = titles.map((title) => cellOf(figures.find((it) => it.title === title)));
  const date = new Date().toISOString().slice(0, 10);
  appendFileSync(PAGE, `${rowOf([date, commit(), `${jobs} × ${rounds}`, load, ...cells])}\n`);
  writeFileSync(PLOT, plotHistory(readHistory(readFileSync(PAGE, "utf8"))));
  console.log("recorded in docs/explanation/performance.md");
}

/** Reads the table: date, commit, and the ratio to ninja of each runner that took part, by title. */
export function readHistory(page) {
  const [, history] = page.split("\n## History\n");
  const [headings, ...rows] = history
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map(wordsOf);
  const titles = headings.slice(4);
  const entries = rows.map(([date, commit, , , ...cells]) => {
    const ratios = titles.map((title, index) => [title, Number(/^[\d.]+/u.exec(cells[index])?.[0])]);
    return { date, commit, ratios: Object.fromEntries(ratios.filter(([, ratio]) => ratio > 0)) };
  });
  return { titles, entries };
}

function cellOf(figures) {
  if (figures === undefined) return "–";
  const { ratio, wallMs, cpuRatio, cpuMs, ownIdle } = figures;
  const [wall, cpu] = [
    `${ratio.toFixed(2)} (${wallMs.toFixed(2)} ms)`,
    `${cpuRatio.toFixed(2)} (${cpuMs.toFixed(2)} ms)`,
  ];
  return `${wall}; CPU ${cpu}; idle ${Math.round(ownIdle * 100)} %`;
}

function rowOf(cells) {
  return `| ${cells.join(" | ")} |`;
}

function wordsOf(row) {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The current commit, with a `+` if files differ from it. */
function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", "packages") === "" ? "" : "+";
  return git("rev-parse", "--short", "HEAD") + changed;
}
