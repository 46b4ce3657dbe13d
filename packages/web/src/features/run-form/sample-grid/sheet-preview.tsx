import type { CellProblem } from "./map-sheet.ts";
import type { SampleSheet } from "./read-sheet.ts";

const SHOWN_ROWS = 20;
const SHOWN_PROBLEMS = 20;

export interface SheetPreviewProps {
  readonly sheet: SampleSheet;
  readonly problems: readonly CellProblem[];
}

/** The first rows of the sheet with invalid cells marked, and a list of problems by row and column. */
export function SheetPreview({ sheet, problems }: SheetPreviewProps) {
  return (
    <>
      {problems.length > 0 && <ProblemList problems={problems} />}
      <div tabIndex={0} role="region" aria-label="Sheet preview" className="card max-h-72 overflow-auto">
        <SheetTable sheet={sheet} problems={problems} />
      </div>
      <p className="text-soft">
        {sheet.rows.length} {sheet.rows.length === 1 ? "sample" : "samples"}
        {sheet.rows.length > SHOWN_ROWS ? ` (first ${SHOWN_ROWS} shown)` : ""}
      </p>
    </>
  );
}

function SheetTable({ sheet, problems }: SheetPreviewProps) {
  const wrong = new Set(problems.map(({ row, column }) => `${row} ${column}`));
  return (
    <table className="table">
      <caption className="sr-only">The first rows of the sheet</caption>
      <thead>
        <tr>
          <th scope="col">Row</th>
          {sheet.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.rows.slice(0, SHOWN_ROWS).map(({ number, cells }) => (
          <tr key={number}>
            <td className="text-soft">{number}</td>
            {sheet.columns.map((column, place) => (
              <td
                key={column}
                className={`whitespace-nowrap ${wrong.has(`${number} ${column}`) ? "bg-failed-soft text-failed underline decoration-wavy" : ""}`}
              >
                {cells[place]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ProblemList({ problems }: { readonly problems: readonly CellProblem[] }) {
  return (
    <div role="alert" className="card border-failed/50 bg-failed-soft p-3">
      <h3 className="text-failed">
        {problems.length === 1 ? "1 cell needs fixing" : `${problems.length} cells need fixing`}
      </h3>
      <ul className="mt-1 list-disc pl-5">
        {problems.slice(0, SHOWN_PROBLEMS).map(({ row, column, message }) => (
          <li key={`${row} ${column} ${message}`}>
            Row {row}, column {column}: {message}
          </li>
        ))}
      </ul>
      {problems.length > SHOWN_PROBLEMS && <p>and {problems.length - SHOWN_PROBLEMS} more</p>}
    </div>
  );
}
