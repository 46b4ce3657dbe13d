import { useInfiniteQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { runEventsQuery } from "../../api/event-queries.ts";
import { EventRows } from "../../components/event-rows.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";

/** The log of a run: every fact in order, new ones as they happen. */
export default function EventsTab({ run }: { readonly run: Run }) {
  const events = useInfiniteQuery(runEventsQuery(run.run_id));
  return (
    <QueryView query={events}>
      {(data) => (
        <>
          <EventRows events={data.pages.flatMap((page) => page.events)} />
          {events.hasNextPage ? (
            <button
              type="button"
              className="btn mt-3"
              disabled={events.isFetchingNextPage}
              onClick={() => void events.fetchNextPage()}
            >
              Load 200 more
            </button>
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
