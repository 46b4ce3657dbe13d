import type { ReactNode } from "react";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";

export interface Column {
  readonly label: string;
  /** Right-aligned. */
  readonly number?: boolean;
  /** True for a header that only screen readers announce, such as that of a column of buttons. */
  readonly hidden?: boolean;
}

interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Puts a table with many rows into its own scroll box. */
  readonly isLong?: boolean;
  /** Within a card. */
  readonly isPlain?: boolean;
  /** Rows (`tr`); cells repeat their column's label as `data-label`, which a phone shows before them. */
  readonly children: ReactNode;
}

/** A table in a card; on a phone each row becomes a card. */
export function DataTable({ caption, columns, isLong = false, isPlain = false, children }: DataTableProps) {
  useShortcuts({ "row.next": () => moveInRows(1), "row.previous": () => moveInRows(-1) });
  return (
    <div
      className={`${isPlain ? "" : "card"} overflow-auto ${isLong ? "max-h-[70vh]" : ""}`}
      {...(isLong ? { tabIndex: 0, role: "region", "aria-label": `${caption}: table` } : {})}
    >
      <table className="table table-cards">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.number === true ? "number" : ""}>
                {column.hidden === true ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody data-rows>{children}</tbody>
      </table>
    </div>
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
