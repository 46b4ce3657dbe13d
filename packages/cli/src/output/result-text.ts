/** A result for programs. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A line of a table for people and programs. */
export function tabbedLine(cells: readonly string[]): string {
  return `${cells.join("\t")}\n`;
}

/** Lines of a table for people: the first row is the head, and columns are aligned. */
export function alignedLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
