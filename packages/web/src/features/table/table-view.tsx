import { useQueries, useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { TableFields, TableFormat } from "@weft/shared/records/table-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { useDeferredValue, useMemo, useState } from "react";
import { comparedRunQuery } from "../../api/queries/run-queries.ts";
import { type WholeTable, tableFieldsQuery, tableFileUrl, tableQuery } from "../../api/queries/table-queries.ts";
import { links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SearchBox } from "../../ui/search-field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Toolbar } from "../../ui/toolbar.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { fits, parseFilter, sortRows } from "./arrange-table.ts";
import { useFieldChoice } from "./field-choice.ts";
import { FieldPicker } from "./field-picker.tsx";
import { type PairedColumn, type PairedTable, pairRuns, rowName, RUN_MARKS } from "./pair-runs.ts";
import { SamplePanel, SampleTable } from "./sample-table.tsx";

const Plots = onDemand(() => import("./plots/plots-view.tsx"), <Skeleton rows={6} />);

interface TableViewProps {
  /** The first is the base of differences. */
  readonly runIds: readonly string[];
  /** The network or tool, whose chosen fields the browser remembers. */
  readonly process: string;
  /** Changes when the runs do. */
  readonly stamp: string;
}

const VIEWS = [
  { id: "", label: "Table" },
  { id: "plots", label: "Plots" },
] as const;

const FORMATS: readonly { readonly format: TableFormat; readonly label: string }[] = [
  { format: "csv", label: "CSV" },
  { format: "tsv", label: "TSV" },
  { format: "parquet", label: "Parquet" },
];

/** The samples of a run as a table and as plots. */
export default function RunTableTab({ run }: { readonly run: Run }) {
  if (!STATE_LOOKS[run.state].final) return <EmptyState text="Available when the run finishes." />;
  const process = (run.network ?? run.tool)?.id ?? "";
  return <TableView runIds={[run.run_id]} process={process} stamp={String(run.revision)} />;
}

/** The samples of several runs side by side, with differences from the first run. */
export function ComparedSamples({ runIds }: { readonly runIds: readonly string[] }) {
  const unique = [...new Set(runIds)];
  const queries = useQueries({ queries: unique.map(comparedRunQuery) });
  const missing = queries.find(({ data }) => data === undefined);
  if (missing !== undefined) return <QueryView query={missing}>{() => null}</QueryView>;
  const runs = queries.flatMap(({ data }) => data ?? []);
  const open = runs.find(({ state }) => !STATE_LOOKS[state].final);
  if (open !== undefined) return <EmptyState text={`Available when ${open.name} finishes.`} />;
  const [first] = runs;
  const process = (first?.network ?? first?.tool)?.id ?? "";
  return <TableView runIds={unique} process={process} stamp={runs.map(({ revision }) => revision).join(",")} />;
}

function TableView({ runIds, process, stamp }: TableViewProps) {
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
          <Button onClick={() => setPicking(true)}>Select fields</Button>
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

/** The letter of each run. */
function RunLegend({ table: { runs }, changed }: { readonly table: WholeTable; readonly changed: number }) {
  const [only, setOnly] = useSearchParam("changed");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {runs.map(({ run_id, name }, at) => (
        <TextLink key={run_id} to={links.run(run_id, { tab: "table" })}>
          {RUN_MARKS[at]}: {name}
        </TextLink>
      ))}
      <CheckField checked={only !== ""} onCheck={(isOn) => setOnly(isOn ? "1" : "")}>
        Only samples that differ ({changed})
      </CheckField>
    </div>
  );
}

interface TableToolbarProps {
  /** Number of rows that match the filter. */
  readonly shown: number;
  readonly total: number;
  readonly columns: readonly PairedColumn[];
  readonly chosen: readonly string[];
  readonly runIds: readonly string[];
  /** Number of files without measures. */
  readonly unread: number;
  readonly onPick: () => void;
}

/** Filter, fields, view and export. */
function TableToolbar({ shown, total, columns, chosen, runIds, unread, onPick }: TableToolbarProps) {
  const [show, setShow] = useSearchParam("show");
  const example = columns.find(({ type, label }) => type === "number" && !label.includes(" "))?.label;
  const count = shown === total ? countText(total, "sample") : `${numberText(shown)} of ${countText(total, "sample")}`;
  return (
    <Toolbar
      status={`${count}${unread > 0 ? `, ${countText(unread, "file")} not read` : ""}`}
      actions={<ExportLinks runIds={runIds} fields={chosen} />}
    >
      <div className="w-full md:w-72">
        <SearchBox label={example === undefined ? "Filter" : `Filter, such as ${example} > 10`} />
      </div>
      <Segments label="View" options={VIEWS} chosen={show} onChoose={(id) => setShow(id, { replace: true })} />
      <Button onClick={onPick}>Fields ({chosen.length})</Button>
    </Toolbar>
  );
}

/** Links that export all samples, without the filter. */
function ExportLinks({ runIds, fields }: { readonly runIds: readonly string[]; readonly fields: readonly string[] }) {
  return (
    <span role="group" aria-label="Download all samples" className="flex items-center gap-1">
      <Icon name="download" className="size-3.5 text-soft" />
      {FORMATS.map(({ format, label }) => (
        <a key={format} className="btn btn-small" href={tableFileUrl(runIds, fields, format)} download>
          {label}
        </a>
      ))}
    </span>
  );
}
