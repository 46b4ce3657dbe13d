import { measureText } from "../../format/measure-text.ts";
import type { TableColumn, TableRow, TableValue } from "@weft/shared/records/table-record.ts";

/** A condition on one column, or a word that the row contains. */
export type Condition =
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "compare"; readonly column: number; readonly operator: Operator; readonly value: string };

const OPERATORS = ["<=", ">=", "!=", "<", ">", "="] as const;
type Operator = (typeof OPERATORS)[number];

/** `lesion volume_ml > 40 side = left`: conditions that all have to hold. A column with spaces needs quotation marks. */
export function parseFilter(text: string, columns: readonly TableColumn[]): readonly Condition[] {
  const words = [...text.matchAll(/"([^"]*)"?|(<=|>=|!=|<|>|=)|([^\s"<>=!]+|!)/g)].map(
    ([, quoted, operator, plain]) => quoted ?? operator ?? plain ?? "",
  );
  const found: Condition[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const operator = OPERATORS.find((sign) => sign === words[at + 1]);
    const column = columns.findIndex(({ label }) => label.toLowerCase() === word.toLowerCase());
    const value = words[at + 2];
    if (operator !== undefined && column >= 0 && value !== undefined) {
      found.push({ kind: "compare", column, operator, value });
      at += 2;
    } else if (word !== "") found.push({ kind: "word", word: word.toLowerCase() });
  }
  return found;
}

export function fits({ sample_id, index, values }: TableRow, conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => {
    if (condition.kind === "compare") return holds(values[condition.column] ?? null, condition);
    const name = sample_id ?? `#${(index ?? 0) + 1}`;
    return [name, ...values].some((value) =>
      String(value ?? "")
        .toLowerCase()
        .includes(condition.word),
    );
  });
}

/** A missing value satisfies no comparison except `!=`. */
function holds(
  value: TableValue,
  { operator, value: wanted }: { readonly operator: Operator; readonly value: string },
): boolean {
  if (value === null) return operator === "!=";
  const order = typeof value === "number" ? value - Number(wanted) : compareTexts(String(value), wanted);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case ">":
      return order > 0;
    case "<=":
      return order <= 0;
    case ">=":
      return order >= 0;
  }
}

const collator = new Intl.Collator("en", { numeric: true });

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : collator.compare(one, other);
}

/** Sorts by a column, or by sample if `column` is -1. Rows without a value come last in both directions. */
export function sortRows<Row extends Pick<TableRow, "sample_id" | "index" | "values">>(
  rows: readonly Row[],
  column: number,
  isDescending: boolean,
): readonly Row[] {
  const valueOf = (row: Row): TableValue => (column < 0 ? row.sample_id : (row.values[column] ?? null));
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * compareTexts(String(a), String(b));
  });
}

/** A value for people, with short numbers. */
export function valueText(value: TableValue): string {
  return typeof value === "number" ? measureText(value) : String(value ?? "");
}
