import { writeFile } from "node:fs/promises";
import { MEASURES, readMeasures } from "./measures.mjs";
import { describe } from "./statistics.mjs";
import { runTool, say } from "./tool.mjs";

const STATISTICS = ["mean", "sd", "min", "median", "max"];
const STATISTICS_EXTRA_DIGITS = 3;

await runTool({ measures: { type: "string", multiple: true, default: [] } }, async ({ measures: paths }) => {
  const subjects = await readMeasures(paths);
  await writeFile(
    "measures.csv",
    csv(["subject", ...MEASURES.map(({ column }) => column)], subjects.map(rowOfSubject)),
  );
  await writeFile(
    "statistics.csv",
    csv(
      ["measure", "n", ...STATISTICS],
      MEASURES.map((measure) => rowOfMeasure(measure, subjects)),
    ),
  );
  say(`${subjects.length} subjects, ${MEASURES.length} measures each`);
});

function rowOfSubject(subject) {
  return [subject.subject, ...MEASURES.map(({ of, digits }) => numberCell(of(subject), digits))];
}

// A mean of whole numbers is not whole: statistics are written finer than the figures they describe.
function rowOfMeasure({ column, of, digits }, subjects) {
  const figures = describe(subjects.map(of).filter((number) => number !== null));
  return [
    column,
    String(figures.n),
    ...STATISTICS.map((name) => numberCell(figures[name], digits + STATISTICS_EXTRA_DIGITS)),
  ];
}

function numberCell(number, digits) {
  return number === null ? "" : number.toFixed(digits);
}

function csv(head, rows) {
  return [head, ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function quoted(cell) {
  const isNumber = /^-?[0-9.]+$/.test(cell);
  const safe = !isNumber && /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
