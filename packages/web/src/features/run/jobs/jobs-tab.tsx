import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { jobPageQuery } from "../../../api/job-queries.ts";
import { countText, numberText } from "../../../format/count-text.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NoMatch } from "../../../ui/no-match.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { FILTER_PARAMS, parseJobFilter } from "./job-filter.ts";
import { JobFilters } from "./job-filters.tsx";
import { JobTable } from "./job-table.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";

const JobPanel = onDemand(() => import("../job-panel.tsx"));

/** The jobs of a run, filtered and sorted by the server; `?job=` opens one in a side panel. */
export default function JobsTab({ run }: { readonly run: Run }) {
  const [params] = useSearchParams();
  const asked = FILTER_PARAMS.map((name) => params.get(name) ?? "").join("\n") + (params.get("sort") ?? "");
  // A row or a job in the URL does not change the query.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const filter = useMemo(() => parseJobFilter(params), [asked]);
  const first = useQuery({ ...jobPageQuery(run.run_id, filter, 0), placeholderData: keepPreviousData });
  const [jobId, setJobId] = useSearchParam("job");
  const isFiltered = FILTER_PARAMS.some((name) => params.has(name));
  const all = run.step_counts.length === 0 ? undefined : run.progress.jobs_total;
  return (
    <>
      <JobFilters run={run} />
      <QueryView query={first} rows={12}>
        {({ total }) =>
          total === 0 ? (
            <NoJobs isFiltered={isFiltered} />
          ) : (
            <>
              <JobTable
                key={asked}
                runId={run.run_id}
                filter={filter}
                total={total ?? 0}
                chosen={jobId}
                onOpen={setJobId}
              />
              <JobCount total={total ?? 0} all={isFiltered ? all : undefined} />
            </>
          )
        }
      </QueryView>
      {jobId !== "" && <JobPanel runId={run.run_id} jobId={jobId} onClose={() => setJobId("")} />}
    </>
  );
}

/** `all`: the total number, if filters hide some. */
function JobCount({ total, all }: { readonly total: number; readonly all: number | undefined }) {
  return (
    <p role="status" className="mt-2 text-soft tabular-nums">
      {all === undefined ? countText(total, "job") : `${numberText(total)} of ${numberText(all)} jobs`}
    </p>
  );
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState text="No jobs queued yet." />;
  return <NoMatch text="No jobs match these filters." filters={FILTER_PARAMS} />;
}
