import { useInfiniteQuery } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { runEventsQuery } from "../../api/queries/run-queries.ts";
import { formatClockTime } from "../../format/format-time.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";

const COLUMNS: readonly Column<WeftEvent>[] = [
  { label: "Number", number: true, render: ({ seq }) => seq },
  {
    label: "Time",
    render: ({ time }) => (
      <time dateTime={time} title={time} className="whitespace-nowrap">
        {formatClockTime(time)}
      </time>
    ),
  },
  { label: "Event", className: "font-medium whitespace-nowrap", render: ({ type }) => type },
  {
    label: "Job",
    render: ({ job_id: id, sample_id: sample }) => (
      <>
        {id}
        {sample !== undefined && <span className="text-soft"> {sample}</span>}
      </>
    ),
  },
  { label: "Data", className: "md:w-1/2 md:max-w-0", render: (event) => <EventData event={event} /> },
];

/** The log of a run: every fact in order, new ones as they happen. */
export default function EventsTab({ run }: { readonly run: Run }) {
  const events = useInfiniteQuery(runEventsQuery(run.run_id));
  return (
    <QueryView query={events}>
      {(data) => (
        <>
          <DataTable
            caption="Events, oldest first"
            columns={COLUMNS}
            rows={data.pages.flatMap((page) => page.events)}
            keyOf={({ seq }) => seq}
            isLong
          />
          {events.hasNextPage ? (
            <Button className="mt-3" disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
              Load 200 more
            </Button>
          ) : (
            <p className="mt-2 text-soft">
              {STATE_LOOKS[run.state].final ? "End of the log." : "New events appear here."}
            </p>
          )}
        </>
      )}
    </QueryView>
  );
}

/** The data of an event in one line; a click shows the whole JSON. */
function EventData({ event }: { readonly event: WeftEvent }) {
  const line = JSON.stringify(event.data);
  if (line === "{}") return null;
  return (
    <details className="min-w-0">
      <summary className="code cursor-pointer truncate text-soft max-md:max-w-52">{line}</summary>
      <pre className="code mt-1 max-h-80 overflow-auto rounded bg-sunken p-2 wrap-anywhere whitespace-pre-wrap">
        {JSON.stringify(event.data, null, 2)}
      </pre>
    </details>
  );
}
