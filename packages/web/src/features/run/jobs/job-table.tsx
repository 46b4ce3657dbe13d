import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { JOBS_PER_PAGE, type JobFilter, jobPageQuery } from "../../../api/queries/job-queries.ts";
import { jobSummaryAt } from "../../../api/queries/jobs-at.ts";
import { useMoment } from "../../../components/run/use-moment.ts";
import { Button } from "../../../ui/button.tsx";
import { moveInRows } from "../../../ui/data-table.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { useIsPhone } from "../../../ui/use-layout.ts";
import { JOB_COLUMN, type JobColumn, RunTime, memoryText, messageText, useColumnChoice } from "./job-columns.tsx";
import { JobName } from "./job-name.tsx";
import { nextSort, sortOrder } from "./job-filter.ts";

const ROW_PX = 36;
const PHONE_ROW_PX = 64;
/** Delay after scrolling before the URL updates. */
const REST_MS = 400;

interface JobTableProps {
  readonly runId: string;
  readonly filter: JobFilter;
  /** Number of matching jobs. */
  readonly total: number;
  readonly chosen: string;
  readonly onOpen: (jobId: string) => void;
  /** False if the column of messages would be empty. */
  readonly hasMessages: boolean;
}

/** A virtualized table of the matching jobs, which loads only the visible pages. `?row=` is the first visible row. */
export function JobTable({ runId, filter, total, chosen, onOpen, hasMessages }: JobTableProps) {
  const isPhone = useIsPhone();
  const rowPx = isPhone ? PHONE_ROW_PX : ROW_PX;
  const box = useRef<HTMLDivElement>(null);
  const getScrollElement = () => box.current;
  const virtual = useVirtualizer({ count: total, getScrollElement, estimateSize: () => rowPx, overscan: 12 });
  useLayoutEffect(() => virtual.measure(), [virtual, rowPx]);
  useRowInUrl(box, rowPx);
  useShortcuts({ "row.next": () => moveInRows(1), "row.previous": () => moveInRows(-1) });
  const { shown } = useColumnChoice();
  const columns = isPhone ? [] : shown.filter(({ id }) => hasMessages || id !== "message");
  const items = virtual.getVirtualItems();
  const { atMs } = useMoment(runId);
  const jobAt = useJobPages(runId, filter, { first: items[0]?.index ?? 0, last: items.at(-1)?.index ?? 0 });
  const Row = isPhone ? PhoneRow : JobRow;
  const minWidth = isPhone ? undefined : [JOB_COLUMN, ...columns].reduce((sum, { px }) => sum + px, 0);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Jobs: table"
      tabIndex={0}
      className="card relative h-[max(20rem,calc(100dvh-19rem-var(--views,0rem)))] overflow-auto"
      style={{ maxHeight: total * rowPx + 44 }}
    >
      <table className="table table-fixed" style={{ minWidth }} aria-rowcount={total + (isPhone ? 0 : 1)}>
        <caption className="sr-only">Jobs of the run</caption>
        {!isPhone && <TableHead columns={columns} />}
        <tbody data-rows>
          <Spacer height={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const job = asOf(jobAt(index), atMs);
            return <Row key={index} {...{ job, index, onOpen, columns }} isChosen={job?.job_id === chosen} />;
          })}
          <Spacer height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

/** A job at the moment that the time machine shows; a job that was not queued yet has an empty row. */
function asOf(job: JobSummary | undefined, atMs: number | undefined): JobSummary | undefined {
  return job === undefined || atMs === undefined ? job : jobSummaryAt(job, atMs);
}

/** Scrolls to the row in the URL initially, and then keeps the first visible row in the URL. */
function useRowInUrl(box: { readonly current: HTMLDivElement | null }, rowPx: number): void {
  const [row, setRow] = useSearchParam("row");
  const begin = useEffectEvent((px: number): void => {
    box.current?.scrollTo({ top: Math.max(0, (Number(row) || 1) - 1) * px });
  });
  useLayoutEffect(() => begin(rowPx), [rowPx]);
  const keep = useEffectEvent((first: number) => {
    const next = first === 1 ? "" : String(first);
    if (next !== row) setRow(next, { replace: true });
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const follow = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (location.pathname === path) keep(Math.round(element.scrollTop / rowPx) + 1);
      }, REST_MS);
    };
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener("scroll", follow);
    };
  }, [box, rowPx]);
}

/** Loads the visible pages; returns undefined for a row that is still loading. */
function useJobPages(
  runId: string,
  filter: JobFilter,
  { first, last }: { readonly first: number; readonly last: number },
): (index: number) => JobSummary | undefined {
  const from = Math.floor(first / JOBS_PER_PAGE);
  const pages = Math.floor(last / JOBS_PER_PAGE) - from + 1;
  const read = useQueries({
    queries: Array.from({ length: pages }, (_, place) => jobPageQuery(runId, filter, from + place)),
  });
  return (index) => read[Math.floor(index / JOBS_PER_PAGE) - from]?.data?.jobs[index % JOBS_PER_PAGE];
}

function TableHead({ columns }: { readonly columns: readonly JobColumn[] }) {
  return (
    <thead className="sticky top-0 z-1 bg-surface">
      <tr aria-rowindex={1}>
        <ColumnHead column={JOB_COLUMN} />
        {columns.map((column) => (
          <ColumnHead key={column.id} column={column} />
        ))}
      </tr>
    </thead>
  );
}

function ColumnHead({ column }: { readonly column: Omit<JobColumn, "render"> }) {
  const { label, number = false, px, sort: key } = column;
  const [sort, setSort] = useSearchParam("sort");
  const order = sortOrder(sort as Parameters<typeof sortOrder>[0]); // invalid values mean queue order
  const isSorted = order?.key === key;
  const direction = order?.descending === true ? "descending" : "ascending";
  return (
    <th
      scope="col"
      style={{ width: px }}
      className={number ? "number" : ""}
      {...(isSorted && { "aria-sort": direction })}
    >
      <Button
        look="bare"
        className="inline-flex items-center gap-1 font-semibold hover:text-ink"
        onClick={() => setSort(nextSort(sort as Parameters<typeof nextSort>[0], key, number))}
      >
        {label}
        {isSorted && <Icon name={order.descending ? "down" : "up"} className="size-3" />}
      </Button>
    </th>
  );
}

/** Takes the height of the rows that are not rendered. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  ) : null;
}

interface RowProps {
  readonly job: JobSummary | undefined;
  readonly index: number;
  readonly isChosen: boolean;
  readonly onOpen: (jobId: string) => void;
  readonly columns: readonly JobColumn[];
}

function JobRow({ job, index, isChosen, onOpen, columns }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} className={isChosen ? "bg-accent-soft" : ""} style={{ height: ROW_PX }}>
      <Cell title={job?.job_id}>{job === undefined ? "…" : <JobButton job={job} onOpen={onOpen} />}</Cell>
      {columns.map(({ id, number = false, text, render }) => (
        <Cell key={id} number={number} title={job && text?.(job)}>
          {job !== undefined && render(job)}
        </Cell>
      ))}
    </tr>
  );
}

interface CellProps {
  readonly number?: boolean;
  /** A title with the whole text, which may be truncated. */
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** One line, truncated if necessary. */
function Cell({ number = false, title, children }: CellProps) {
  return (
    <td className={`truncate ${number ? "number" : ""}`} style={{ paddingBlock: 0 }} title={title}>
      {children}
    </td>
  );
}

/** Two lines: name and duration; step and message. */
function PhoneRow({ job, index, isChosen, onOpen }: Omit<RowProps, "columns">) {
  return (
    <tr aria-rowindex={index + 1} className={isChosen ? "bg-accent-soft" : ""} style={{ height: PHONE_ROW_PX }}>
      <td style={{ paddingBlock: 0 }}>
        {job !== undefined && (
          <>
            <div className="flex items-center gap-2">
              <JobButton job={job} onOpen={onOpen} />
              <span className="ml-auto shrink-0 text-soft">
                <RunTime job={job} />
              </span>
              <StateBadge state={job.state} {...(job.cached ? { note: "cached" } : {})} />
            </div>
            <div className="truncate text-small text-soft">
              {[job.sample_id, job.step, memoryText(job), messageText(job)].filter(Boolean).join(" · ")}
            </div>
          </>
        )}
      </td>
    </tr>
  );
}

function JobButton({ job, onOpen }: { readonly job: JobSummary; readonly onOpen: (jobId: string) => void }) {
  return (
    <Button
      look="link"
      className="flex max-w-full min-w-0 items-center font-medium max-md:min-h-9"
      aria-haspopup="dialog"
      aria-label={job.job_id}
      onClick={() => onOpen(job.job_id)}
    >
      <JobName jobId={job.job_id} />
    </Button>
  );
}
