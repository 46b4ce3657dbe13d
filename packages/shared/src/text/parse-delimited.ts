export type Separator = "," | "\t" | ";";

/** Reads CSV or TSV (RFC 4180: quoted cells, doubled quotes, either line ending), at most `maxRows` rows. */
export function parseDelimited(text: string, separator: Separator, maxRows: number): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < maxRows) {
    const cell = readCell(text, at, separator);
    row.push(cell.value);
    at = cell.end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  if (row.length > 0 && rows.length < maxRows) rows.push(row);
  return rows;
}

function readCell(text: string, start: number, separator: string): { value: string; end: number } {
  if (text[start] === '"') return readQuoted(text, start + 1, separator);
  const end = cellEnd(text, start, separator);
  return { value: text.slice(start, end), end };
}

function cellEnd(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && !text.startsWith("\r\n", end)) end += 1;
  return end;
}

function readQuoted(text: string, start: number, separator: string): { value: string; end: number } {
  let value = "";
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      // Text after the closing quote belongs to the cell, as in spreadsheets.
      const end = cellEnd(text, quote + 1, separator);
      return { value: value + text.slice(quote + 1, end), end };
    }
    value += '"';
    at = quote + 2;
  }
}
