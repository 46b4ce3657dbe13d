import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";

const MAX_ROWS = 200;

export interface DelimitedTableProps {
  readonly name: string;
  readonly text: string;
  readonly separator: "," | "\t";
}

/** The first rows of a CSV or TSV file; its first line names the columns. */
export function DelimitedTable({ name, text, separator }: DelimitedTableProps) {
  // One more than shown, to detect that there are more.
  const [head = [], ...rows] = parseDelimited(text, separator, MAX_ROWS + 2);
  const alignment = head.map((_, place) => (rows.every((row) => isNumber(row[place] ?? "")) ? "number" : ""));
  return (
    <>
      <div tabIndex={0} role="region" aria-label={name} className="card max-h-96 overflow-auto">
        <table className="table w-auto!">
          <thead className="sticky top-0">
            <tr>
              {head.map((cell, place) => (
                <th key={place} scope="col" className={alignment[place] ?? ""}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, number) => (
              <tr key={number}>
                {row.map((cell, place) => (
                  <td key={place} className={`whitespace-nowrap ${alignment[place] ?? ""}`}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && <p className="mt-1 text-soft">The first {MAX_ROWS} rows are shown.</p>}
    </>
  );
}

/** Numeric columns are right-aligned; cells may be empty. */
function isNumber(cell: string): boolean {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$|^\s*$/i.test(cell);
}
