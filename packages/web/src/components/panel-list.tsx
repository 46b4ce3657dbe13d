import type { ReactNode } from "react";
import { useRights } from "../api/session-query.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

interface PanelListProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: string;
  readonly idOf: (row: Row) => string;
  /** The parameter of the address that has the ID of the row with an open panel. */
  readonly param: string;
  readonly renderPanel: (row: Row, onClose: () => void) => ReactNode;
  /** Begins a new row, for users who may start runs. */
  readonly action: ReactNode;
}

/** A table whose rows open a panel. The panel must have a key. */
export function PanelList<Row>(props: PanelListProps<Row>) {
  const { caption, columns, rows, empty, idOf, param, renderPanel, action } = props;
  const { has } = useRights();
  const [selected, select] = useSearchParam(param);
  const row = rows.find((each) => idOf(each) === selected);
  return (
    <>
      {has("runner") && <div className="mb-3 flex justify-end">{action}</div>}
      <DataTable caption={caption} columns={columns} rows={rows} keyOf={idOf} empty={empty} />
      {row !== undefined && renderPanel(row, () => select(""))}
    </>
  );
}
