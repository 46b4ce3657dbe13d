/** A BIDS TSV file. Rows have the cells by column name, without missing values (`n/a`). */
export interface Table {
  readonly columns: readonly string[];
  /** One record for each row, from column names to cells. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

const MAX_ROWS = 200_000;
const MAX_COLUMNS = 500;

/** Reads a tab-separated table with a header. Rows beyond 200,000 and columns beyond 500 are ignored. */
export function readTable(text: string): Table {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/, MAX_ROWS + 1);
  const columns = (lines[0] ?? "").split("\t", MAX_COLUMNS).map((name) => name.trim());
  const rows = lines.slice(1).flatMap((line) => {
    if (line.trim() === "") return [];
    const cells = line.split("\t", MAX_COLUMNS);
    const row: Record<string, string> = Object.create(null) as Record<string, string>; // columns can have any name
    for (const [index, name] of columns.entries()) {
      const cell = cells[index]?.trim() ?? "";
      if (name !== "" && cell !== "" && cell !== "n/a") row[name] = cell;
    }
    return [row];
  });
  return { columns: columns.filter((name) => name !== ""), rows };
}
