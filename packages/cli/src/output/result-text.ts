/** A result for programs. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A line of a table for people and programs. Tabs and line breaks, which a file name may contain, become spaces. */
export function tabbedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replaceAll(/[\t\r\n]/g, " ")).join("\t")}\n`;
}

/** Replaces control characters, because users choose names of runs and files, and a terminal would interpret them. */
export function plain(text: string): string {
  return text.replaceAll(/\p{C}/gu, "?");
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

/** Lines of at most `width` characters; longer words stay whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
