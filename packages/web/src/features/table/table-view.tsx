import { useQuery } from "@tanstack/react-query";
import type { TableFields } from "@weft/shared/records/table-record.ts";
import { useDeferredValue, useMemo, useState } from "react";
import { Link } from "react-router-dom";
import { tableFieldsQuery, tableQuery, type WholeTable } from "../../api/table-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { fits, parseFilter, sortRows } from "./arrange-table.ts";
import { useFieldChoice } from "./field-choice.ts";
import { FieldPicker } from "./field-picker.tsx";
import { pairRuns, RUN_MARKS, rowName, type PairedTable } from "./pair-runs.ts";
import { SamplePanel } from "./sample-panel.tsx";
import { SampleTable } from "./sample-table.tsx";
import { TableToolbar } from "./table-toolbar.tsx";

const Plots = onDemand(() => import("./plots/plots-view.tsx"), <Skeleton rows={6} />);

export interface TableViewProps {
  /** The first is the base of differences. */
  readonly runIds: readonly string[];
  /** The network or tool, whose chosen fields the browser remembers. */
  readonly process: string;
  /** Changes when the runs do. */
  readonly stamp: string;
}

/** The samples of one or several runs as a table and as plots. */
export function TableView({ runIds, process, stamp }: TableViewProps) {
  const fields = useQuery(tableFieldsQuery(runIds, stamp));
  return (
    <QueryView query={fields} rows={8}>
      {(found) =>
        found.samples === 0 ? (
          <EmptyState text="No samples: a table needs a step that is scattered over a list." />
        ) : (
          <ChosenFields runIds={runIds} process={process} stamp={stamp} found={found} />
        )
      }
    </QueryView>
  );
}

function ChosenFields({ runIds, process, stamp, found }: TableViewProps & { readonly found: TableFields }) {
  const { chosen, choose } = useFieldChoice(process, found.fields);
  const [isPicking, setPicking] = useState(false);
  const table = useQuery({ ...tableQuery(runIds, chosen, stamp), enabled: chosen.length > 0 });
  return (
    <div className="space-y-3">
      {chosen.length === 0 ? (
        <EmptyState text="No fields selected.">
          <button type="button" className="btn" onClick={() => setPicking(true)}>
            Select fields
          </button>
        </EmptyState>
      ) : (
        <QueryView query={table} rows={8}>
          {(data) => <Shown runIds={runIds} chosen={chosen} table={data} onPick={() => setPicking(true)} />}
        </QueryView>
      )}
      {isPicking && <FieldPicker found={found} chosen={chosen} onChoose={choose} onClose={() => setPicking(false)} />}
    </div>
  );
}

interface ShownProps {
  readonly runIds: readonly string[];
  readonly chosen: readonly string[];
  readonly table: WholeTable;
  readonly onPick: () => void;
}

function Shown({ runIds, chosen, table, onPick }: ShownProps) {
  const [show] = useSearchParam("show");
  const [sample, setSample] = useSearchParam("sample");
  const paired = useMemo(() => (table.runs.length > 1 ? pairRuns(table) : alone(table)), [table]);
  const rows = useShownRows(paired);
  const names = useMemo(() => new Set(rows.map(rowName)), [rows]);
  const open = (name: string): void => setSample(name);
  return (
    <>
      <TableToolbar
        shown={rows.length}
        total={paired.rows.length}
        columns={paired.columns}
        chosen={chosen}
        runIds={runIds}
        unread={table.unread_total}
        onPick={onPick}
      />
      {table.runs.length > 1 && <RunLegend table={table} changed={paired.changed.size} />}
      {show === "plots" ? (
        <Plots table={table} names={names} onOpen={open} />
      ) : (
        <SampleTable columns={paired.columns} rows={rows} changed={paired.changed} onOpen={open} />
      )}
      {sample !== "" && <SamplePanel table={table} sample={sample} onClose={() => setSample("")} />}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

function alone({ columns, rows }: WholeTable): PairedTable {
  return { columns: columns.map((column) => ({ ...column, isDifference: false })), rows, changed: NONE };
}

/** Filtered by `?q=` and `?changed=`, sorted by `?sort=`. */
function useShownRows({ columns, rows, changed }: PairedTable): PairedTable["rows"] {
  const [q] = useSearchParam("q");
  const [sort] = useSearchParam("sort");
  const [only] = useSearchParam("changed");
  const text = useDeferredValue(q);
  const isDescending = sort.startsWith("-");
  const sortId = isDescending ? sort.slice(1) : sort;
  return useMemo(() => {
    const conditions = parseFilter(text, columns);
    const found = rows.filter((row) => fits(row, conditions) && (only === "" || changed.has(rowName(row))));
    if (sortId === "") return found;
    return sortRows(
      found,
      columns.findIndex(({ id }) => id === sortId),
      isDescending,
    );
  }, [columns, rows, changed, text, only, sortId, isDescending]);
}

/** Which letter is which run. */
function RunLegend({ table: { runs }, changed }: { readonly table: WholeTable; readonly changed: number }) {
  const [only, setOnly] = useSearchParam("changed");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {runs.map(({ run_id, name }, at) => (
        <Link key={run_id} className="link" to={`/run/${run_id}?tab=table`}>
          {RUN_MARKS[at]}: {name}
        </Link>
      ))}
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={only !== ""}
          onChange={(event) => setOnly(event.target.checked ? "1" : "")}
        />
        Only samples that differ ({changed})
      </label>
    </div>
  );
}
