import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { lazy, Suspense } from "react";
import { jobListQuery } from "../../api/job-queries.ts";
import { JOB_STATE_ORDER, parseJobState, STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NoMatch } from "../../ui/no-match.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { JobTable } from "./job-table.tsx";

const JobPanel = lazy(() => import("./job-panel.tsx"));

const PAGE_SIZE = 100;

/** The jobs of a run, filtered and paged by the server; `?job=` opens one beside the table. */
export function JobsTab({ run }: { readonly run: Run }) {
  const [state] = useSearchParam("state");
  const [step] = useSearchParam("step");
  const [q] = useSearchParam("q");
  const [page] = useSearchParam("page");
  const [jobId, setJobId] = useSearchParam("job");
  const filter = { states: stateOf(state), step: step || undefined, q: q || undefined };
  const jobs = useQuery(jobListQuery(run.run_id, { ...filter, pageSize: PAGE_SIZE, pageToken: page || undefined }));
  return (
    <>
      <JobFilters run={run} />
      <QueryView query={jobs}>
        {(data) =>
          data.jobs.length === 0 ? (
            <NoJobs isFiltered={Object.values(filter).some((value) => value !== undefined)} />
          ) : (
            <>
              <JobTable jobs={data.jobs} chosen={jobId} onOpen={setJobId} />
              <Pager nextPageToken={data.next_page_token} shown={data.jobs.length} total={data.total} noun="job" />
            </>
          )
        }
      </QueryView>
      {jobId !== "" && (
        <Suspense fallback={null}>
          <JobPanel runId={run.run_id} jobId={jobId} onClose={() => setJobId("")} />
        </Suspense>
      )}
    </>
  );
}

function stateOf(text: string): readonly JobState[] | undefined {
  const state = parseJobState(text);
  return state === undefined ? undefined : [state];
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState text="No job has been queued yet." />;
  return <NoMatch text="No jobs match these filters." filters={["state", "step", "q"]} />;
}

function JobFilters({ run }: { readonly run: Run }) {
  const [state, setState] = useSearchParam("state");
  const [step, setStep] = useSearchParam("step");
  return (
    <div className="mb-3 flex flex-wrap gap-3">
      <Choice
        label="State"
        value={state}
        onChange={setState}
        options={JOB_STATE_ORDER.map((entry) => [entry, STATE_LOOKS[entry].word])}
      />
      <Choice
        label="Step"
        value={step}
        onChange={setStep}
        options={run.step_counts.map((entry) => [entry.step, entry.step === "" ? "the tool" : entry.step])}
      />
      <SearchBox label="Job, step or sample" />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [id: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label className="flex items-center gap-2">
      <span className="text-soft">{label}</span>
      <select className="input w-auto max-w-56" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">all</option>
        {options
          .filter(([id]) => id !== "")
          .map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
      </select>
    </label>
  );
}
