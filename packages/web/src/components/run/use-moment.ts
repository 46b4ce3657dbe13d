import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { allJobsQuery } from "../../api/queries/all-jobs.ts";
import { jobsAt, momentQuery } from "../../api/queries/jobs-at.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { useSearchParam } from "../../ui/use-search-param.ts";

/** The moment of the past that the page shows: `?at=` with the sequence number of an event in the server's log. */
interface ShownMoment {
  /** Actions and live updates are off. */
  readonly isPast: boolean;
  /** The moment; undefined in the present, and until it is loaded. */
  readonly moment: RunMoment | undefined;
  /** Time of the moment in milliseconds since 1970; undefined like `moment`. */
  readonly atMs: number | undefined;
}

/** True while the page shows a moment of the past. */
export function useIsPast(): boolean {
  const [at] = useSearchParam("at");
  return parseSeq(at) !== undefined;
}

export function useMoment(runId: string): ShownMoment {
  const [at] = useSearchParam("at");
  const seq = parseSeq(at);
  const { data } = useQuery({
    ...momentQuery(runId, { at: seq ?? 0 }),
    enabled: seq !== undefined,
    placeholderData: keepPreviousData,
  });
  const moment = seq === undefined ? undefined : data;
  return { isPast: seq !== undefined, moment, atMs: moment === undefined ? undefined : Date.parse(moment.time) };
}

/** All jobs of a run as of the moment that the page shows. */
export function useAllJobs(run: Pick<Run, "run_id" | "state">) {
  const { isPast, atMs } = useMoment(run.run_id);
  const query = useQuery(allJobsQuery(run.run_id, !isPast && !STATE_LOOKS[run.state].final));
  const { data } = query;
  const then = useMemo(() => (data === undefined || atMs === undefined ? undefined : jobsAt(data, atMs)), [data, atMs]);
  return { ...query, data: isPast ? then : data };
}

/** Undefined if the text is not a sequence number. */
function parseSeq(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
