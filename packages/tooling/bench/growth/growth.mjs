import { rmSync } from "node:fs";
import { join } from "node:path";
import { growthOfLog } from "./growth-of-log.mjs";
import { growthOfOneRun, growthOfRuns, growthOfWatchers } from "./growth-of-load.mjs";
import { growthOfFiles, growthOfOutput } from "./growth-of-outputs.mjs";
import { growthOfJobs } from "./growth-of-jobs.mjs";

/** Subjects by name: the part that grows, its full size, and the function that measures it. */
const SUBJECTS = {
  log: { what: "events in the log", full: 1_000_000, measure: growthOfLog },
  jobs: { what: "jobs of a finished run", full: 100_000, measure: growthOfJobs },
  "one-run": { what: "jobs of a run that is executed", full: 100_000, measure: growthOfOneRun },
  runs: { what: "concurrent runs", full: 2000, measure: growthOfRuns },
  files: { what: "output files of one job", full: 10_000, measure: growthOfFiles },
  output: { what: "bytes of one output", full: 5_000_000_000, measure: growthOfOutput },
  watchers: { what: "watchers of all events", full: 500, measure: growthOfWatchers },
};

const SHARES = [0.01, 0.1, 1];

/** Work that is done for each element may grow as fast as their number; measured times vary. */
const MAX_EXPONENT = { work: 1.1, constant: 0.3 };

/** A difference of up to this many milliseconds or MiB is noise. */
const NEGLIGIBLE = { ms: 100, MiB: 50 };

/**
 * Measures each subject at 1, 10 and 100 % of its full size, and prints a Markdown table with the exponent of the growth: 1 if
 * ten times as many elements cost ten times as much, 0 if they cost the same. Times are processor time.
 */
export async function benchGrowth(folder, { only, percent }) {
  console.log("| Grows | Measured | 1 % | 10 % | 100 % | Exponent | Limit |\n|---|---|---|---|---|---|---|");
  for (const [name, { what, full, measure }] of Object.entries(SUBJECTS)) {
    if (only !== undefined && !only.includes(name)) continue;
    const sizes = SHARES.map((share) => Math.round((full * share * percent) / 100));
    const figures = [];
    for (const size of sizes) {
      const sizeFolder = join(folder, `growth-${name}-${size}`);
      figures.push(await measure(sizeFolder, size));
      rmSync(sizeFolder, { recursive: true, force: true });
    }
    for (const row of rowsOf(`${what}, ${sizes.at(-1).toLocaleString("en")}`, figures)) console.log(row);
  }
}

/** A figure: `{value, unit, grows}`; `grows`: `work` if it may grow with the subject, `constant` if not. */
function rowsOf(subject, figures) {
  return Object.entries(figures.at(-1)).map(([name, { unit, grows }]) => {
    const values = figures.map((figure) => figure[name].value);
    const [, before, last] = values;
    const exponent = Math.log10(Math.max(last, 0.001) / Math.max(before, 0.001));
    const isFine = exponent <= MAX_EXPONENT[grows] || last - before <= NEGLIGIBLE[unit];
    const shown = values.map(
      (value) => `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString("en")} ${unit}`,
    );
    return `| ${[subject, name, ...shown, exponent.toFixed(2), `${MAX_EXPONENT[grows]}${isFine ? "" : " **exceeded**"}`].join(" | ")} |`;
  });
}
