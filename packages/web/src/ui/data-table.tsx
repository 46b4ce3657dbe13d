import type { ComponentProps, Key, ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";

export interface Column<Row> {
  readonly label: string;
  /** The content of the cell of a row. */
  readonly render: (row: Row) => ReactNode;
  readonly className?: string | ((row: Row) => string);
  /** Right-aligned. */
  readonly number?: boolean;
  /** True for a header that only screen readers announce, such as that of a column of buttons. */
  readonly hidden?: boolean;
  /** True for cells that a phone shows without the label before them, such as the names of the rows. */
  readonly bare?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly attributesOf?: (row: Row) => ComponentProps<"tr"> & Readonly<Record<`data-${string}`, string>>;
  /** Puts a table with many rows into its own scroll box. */
  readonly isLong?: boolean;
  /** Replaces a table without rows; a text explains why there are none. */
  readonly empty?: ReactNode;
  /** Within a card. */
  readonly isPlain?: boolean;
}

/** A table in a card; on a phone each row becomes a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, attributesOf, empty, isLong = false, isPlain = false } = props;
  const isEmpty = rows.length === 0 && empty !== undefined;
  useShortcuts(isEmpty ? {} : { "row.next": () => moveInRows(1), "row.previous": () => moveInRows(-1) });
  if (isEmpty) return typeof empty === "string" ? <EmptyState text={empty} /> : empty;
  return (
    <div
      className={`${isPlain ? "" : "card"} overflow-auto ${isLong ? "max-h-[70vh]" : ""}`}
      {...(isLong ? { tabIndex: 0, role: "region", "aria-label": `${caption}: table` } : {})}
    >
      <table className="table table-cards">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, number = false, hidden = false }) => (
              <th key={label} scope="col" className={number ? "number" : ""}>
                {hidden ? <span className="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody data-rows>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...attributesOf?.(row)}>
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { label, render, className = "", number = false, hidden = false, bare = hidden } = column;
  const own = typeof className === "string" ? className : className(row);
  return (
    <td data-label={bare ? undefined : label} className={number ? `number ${own}` : own}>
      {render(row)}
    </td>
  );
}

/** Focuses the link or button of the next (1) or previous (-1) row in the page's lists. */
export function moveInRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("main [data-rows] > *")];
  const targets = rows.flatMap((row) => row.querySelector<HTMLElement>("a, button") ?? []);
  const at = rows
    .filter((row) => row.querySelector("a, button") !== null)
    .findIndex((row) => row.contains(document.activeElement));
  const target = targets[at < 0 ? (step > 0 ? 0 : targets.length - 1) : at + step];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}
