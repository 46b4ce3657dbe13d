import { useQuery } from "@tanstack/react-query";
import type { TableRow } from "@weft/shared/records/table-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { jobListQuery } from "../../api/queries/job-queries.ts";
import { resultsQuery } from "../../api/queries/result-queries.ts";
import type { WholeTable } from "../../api/queries/table-queries.ts";
import { JobBadge } from "../../components/badges.tsx";
import { FileLink } from "../../components/file-link.tsx";
import { links } from "../../format/links.ts";
import { isFileValue } from "../../format/value-text.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { GridCursor } from "../../ui/grid/grid-cursor.ts";
import { VirtualGrid, type GridColumn } from "../../ui/grid/virtual-grid.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SidePanel } from "../../ui/modal.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Facts } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { valueText } from "./arrange-table.ts";
import { rowName, type PairedColumn } from "./pair-runs.ts";

interface SampleTableProps {
  readonly columns: readonly PairedColumn[];
  readonly rows: readonly TableRow[];
  /** Samples whose values differ between runs. */
  readonly changed: ReadonlySet<string>;
  readonly onOpen: (sample: string) => void;
}

const ROW_PX = 32;
const SAMPLE_PX = 170;
const HEAD_PX = 36;
/** The space for a horizontal scroll bar. */
const SPARE_PX = 18;

/** One row per sample. Enter or a click on its name opens a sample; column headers sort. */
export function SampleTable({ columns, rows, changed, onOpen }: SampleTableProps) {
  const [cursor, setCursor] = useState<GridCursor | undefined>(undefined);
  const gridColumns = useColumns(columns);
  const renderCell = (row: number, column: number) => {
    const sample = rows[row];
    if (sample === undefined) return null;
    const name = rowName(sample);
    if (column === 0) return <SampleName name={name} isChanged={changed.has(name)} onOpen={onOpen} />;
    return <Value value={sample.values[column - 1] ?? null} column={columns[column - 1]} />;
  };
  if (rows.length === 0) return <EmptyState text="No samples match the filter." />;
  const isThere = cursor !== undefined && cursor.active.row < rows.length && cursor.active.column <= columns.length;
  return (
    <div className="card overflow-hidden" style={{ height: heightOf(rows.length) }}>
      <VirtualGrid
        className="h-full"
        label="Samples"
        rows={rows.length}
        columns={gridColumns}
        pinned={1}
        rowPx={ROW_PX}
        cursor={isThere ? cursor : undefined}
        onCursor={setCursor}
        renderCell={renderCell}
        onOpen={({ row }) => rows[row] !== undefined && onOpen(rowName(rows[row]))}
      />
    </div>
  );
}

/** The height of the rows, limited by that of the window. */
function heightOf(rows: number): string {
  return `min(max(100dvh - 15rem - var(--views, 0rem), 18rem), ${HEAD_PX + rows * ROW_PX + SPARE_PX}px)`;
}

interface SampleNameProps {
  readonly name: string;
  readonly isChanged: boolean;
  readonly onOpen: (sample: string) => void;
}

function SampleName({ name, isChanged, onOpen }: SampleNameProps) {
  return (
    <Button
      look="bare"
      tabIndex={-1}
      className="flex min-w-0 flex-1 items-center gap-1.5 self-stretch text-left font-medium hover:underline"
      title={name}
      onClick={() => onOpen(name)}
    >
      <span className="truncate">{name}</span>
      {isChanged && <span className="text-caption font-normal text-canceled">differs</span>}
    </Button>
  );
}

function Value({
  value,
  column,
}: {
  readonly value: TableRow["values"][number];
  readonly column: PairedColumn | undefined;
}) {
  if (value === null) return <span className="text-soft">–</span>;
  const text = valueText(value);
  const isNumber = typeof value === "number";
  const isPlus = column?.isDifference === true && isNumber && value > 0;
  const look = column?.isDifference === true && value !== 0 ? "font-semibold" : "";
  return (
    <span className={`truncate ${isNumber ? "ml-auto tabular-nums" : ""} ${look}`} title={String(value)}>
      {isPlus ? `+${text}` : text}
    </span>
  );
}

function useColumns(columns: readonly PairedColumn[]): readonly GridColumn[] {
  const [sort, setSort] = useSearchParam("sort");
  const headerOf = (id: string, label: string, isNumber: boolean) => (
    <SortButton id={id} label={label} isNumber={isNumber} sort={sort} onSort={setSort} />
  );
  return [
    { id: "sample", label: "Sample", width: SAMPLE_PX, header: headerOf("sample", "Sample", false) },
    ...columns.map(({ id, label, type }) => ({
      id,
      label,
      width: Math.max(96, Math.min(220, 44 + label.length * 7)),
      header: headerOf(id, label, type === "number"),
    })),
  ];
}

interface SortButtonProps {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
  readonly sort: string;
  readonly onSort: (sort: string, options: { readonly replace: boolean }) => void;
}

/** Sorts ascending, then descending, then not at all. */
function SortButton({ id, label, isNumber, sort, onSort }: SortButtonProps) {
  const direction = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  const next = direction === undefined ? id : direction === "ascending" ? `-${id}` : "";
  return (
    <Button
      look="bare"
      className={`flex h-full min-w-0 flex-1 items-center gap-1 hover:text-ink ${isNumber ? "justify-end" : ""}`}
      aria-label={`${label}, ${direction === undefined ? "sort" : `sorted ${direction}`}`}
      onClick={() => onSort(next, { replace: true })}
    >
      <span className="truncate">{label}</span>
      {direction !== undefined && <Icon name={direction === "ascending" ? "up" : "down"} className="size-3" />}
    </Button>
  );
}

interface SamplePanelProps {
  readonly table: WholeTable;
  readonly sample: string;
  readonly onClose: () => void;
}

const JOBS = 50;

/** A sample: its values, files and jobs, in each run. */
export function SamplePanel({ table, sample, onClose }: SamplePanelProps) {
  const rows = table.rows.filter((row) => rowName(row) === sample);
  return (
    <SidePanel title={sample} onClose={onClose}>
      <div className="space-y-6">
        {rows.length === 0 && <p className="text-soft">The table has no such sample.</p>}
        {rows.map((row) => (
          <SampleInRun key={`${row.run_id} ${row.index ?? ""}`} table={table} row={row} />
        ))}
      </div>
    </SidePanel>
  );
}

function SampleInRun({ table, row }: { readonly table: WholeTable; readonly row: TableRow }) {
  const name = table.runs.find(({ run_id }) => run_id === row.run_id)?.name ?? row.run_id;
  return (
    <section aria-label={name} className="space-y-4">
      {table.runs.length > 1 && (
        <h3 className="wrap-anywhere">
          <TextLink to={links.run(row.run_id, { tab: "table" })}>{name}</TextLink>
        </h3>
      )}
      <Facts
        facts={table.columns.map(({ label }, at) => [label, <PanelValue key={label} value={row.values[at] ?? null} />])}
      />
      <SampleFiles row={row} />
      {row.sample_id !== null && <SampleJobs runId={row.run_id} sample={row.sample_id} />}
    </section>
  );
}

function PanelValue({ value }: { readonly value: TableRow["values"][number] }) {
  return <span title={String(value ?? "")}>{valueText(value) || "–"}</span>;
}

function SampleFiles({ row }: { readonly row: TableRow }) {
  const results = useQuery(resultsQuery(row.run_id, { text: rowName(row), page: 0 }));
  return (
    <section aria-label="Files">
      <h3 className="mb-1">Files</h3>
      <QueryView query={results} rows={2}>
        {({ rows }) => {
          const found = rows.find(({ sample_id, index }) => rowName({ sample_id, index }) === rowName(row));
          const files =
            found?.cells.flatMap(({ output, value }) => (isFileValue(value) ? [{ output, value }] : [])) ?? [];
          if (files.length === 0) return <p className="text-soft">No files.</p>;
          return (
            <>
              <Facts facts={files.map(({ output, value }) => [output, <FileLink key={output} file={value} />])} />
              <Link className="link mt-2 inline-block" to={links.run(row.run_id, { tab: "outputs", q: rowName(row) })}>
                View results
              </Link>
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

function SampleJobs({ runId, sample }: { readonly runId: string; readonly sample: string }) {
  const jobs = useQuery(jobListQuery(runId, { sample, page_size: JOBS }));
  return (
    <section aria-label="Jobs">
      <h3 className="mb-1">Jobs</h3>
      <QueryView query={jobs} rows={3}>
        {(page) => (
          <ul className="space-y-1">
            {page.jobs.map((job) => (
              <li key={job.job_id} className="flex items-center gap-3">
                <Link className="link wrap-anywhere" to={links.run(runId, { tab: "jobs", job: job.job_id })}>
                  {job.job_id}
                </Link>
                <JobBadge job={job} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
