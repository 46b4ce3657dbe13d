import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { jobListQuery, jobQuery } from "../../api/job-queries.ts";
import { jobLogUrl, type LogStream } from "../../api/job-log-query.ts";
import { FAILED_STATES, STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { LogView } from "./log/log-view.tsx";
import { isPruned, PrunedNote } from "./run-storage.tsx";

const MOST_FAILED = 100;
const MOST_JOBS = 200;
const UNDER_WAY = ["RUNNING", "INITIALIZING", "CANCELING"] as const;

/** What the jobs of a run write: choose a job and a stream; the end is shown first and follows while the job runs. */
export default function LogsTab({ run }: { readonly run: Run }) {
  const [q, setQ] = useState("");
  const asked = useDeferredValue(q.trim()) || undefined;
  // Jobs that failed or run may be far behind the first page of all.
  const failed = useQuery(jobListQuery(run.run_id, { states: FAILED_STATES, q: asked, pageSize: MOST_FAILED }));
  const running = useQuery(jobListQuery(run.run_id, { states: UNDER_WAY, q: asked, pageSize: MOST_FAILED }));
  const first = useQuery(jobListQuery(run.run_id, { q: asked, pageSize: MOST_JOBS }));
  if (isPruned(run, "logs")) return <PrunedNote run={run} part="logs" />;
  const pending = [failed, running].find(({ data }) => data === undefined) ?? first;
  return (
    <QueryView query={pending}>
      {() => {
        const pages = [failed, running, first].flatMap(({ data }) => data?.jobs ?? []);
        const jobs = [...new Map(pages.map((job) => [job.job_id, job])).values()];
        if (jobs.length === 0 && asked === undefined) return <EmptyState text="No job has been queued yet." />;
        const total = first.data?.total ?? jobs.length;
        return (
          <JobLogs
            run={run}
            jobs={interestingFirst(jobs)}
            search={total > MOST_JOBS || q !== "" ? { q, setQ, found: total } : undefined}
          />
        );
      }}
    </QueryView>
  );
}

/** Failed jobs first, then running ones; last those that ended without a program, which write nothing. */
function interestingFirst(jobs: readonly JobSummary[]): readonly JobSummary[] {
  const weight = ({ state, exit_code }: JobSummary): number => {
    if (FAILED_STATES.some((failed) => failed === state)) return 0;
    if (!STATE_LOOKS[state].final) return 1;
    return exit_code === null ? 3 : 2;
  };
  return jobs.toSorted((a, b) => weight(a) - weight(b));
}

interface JobSearch {
  readonly q: string;
  readonly setQ: (q: string) => void;
  /** Jobs that match. */
  readonly found: number;
}

interface JobLogsProps {
  readonly run: Run;
  readonly jobs: readonly JobSummary[];
  /** Where the run has more jobs than are listed. */
  readonly search: JobSearch | undefined;
}

function JobLogs({ run, jobs, search }: JobLogsProps) {
  const [wanted, setWanted] = useSearchParam("job");
  const [stream, setStream] = useSearchParam("stream");
  const jobId = wanted || (jobs[0]?.job_id ?? "");
  const chosenStream: LogStream = stream === "stdout" ? "stdout" : "stderr";
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        {search !== undefined && <JobSearchBox search={search} onSearch={() => setWanted("")} />}
        <JobChoice jobs={jobs} jobId={jobId} onChoose={setWanted} />
        <label className="flex items-center gap-2">
          <span className="text-soft">Stream</span>
          <select
            className="input w-auto"
            value={chosenStream}
            onChange={(event) => setStream(event.target.value === "stderr" ? "" : event.target.value)}
          >
            <option value="stderr">standard error</option>
            <option value="stdout">standard output</option>
          </select>
        </label>
        <a
          className="btn"
          href={jobLogUrl({ runId: run.run_id, jobId, stream: chosenStream })}
          download={`${jobId}.${chosenStream}.log`}
        >
          Download all
        </a>
      </div>
      {jobId === "" ? (
        <EmptyState text="No jobs match." />
      ) : (
        <JobLog key={`${jobId} ${chosenStream}`} runId={run.run_id} jobId={jobId} stream={chosenStream} />
      )}
    </>
  );
}

/** The list below names the jobs that failed or run, and the first of the others; this finds the rest. */
function JobSearchBox({ search, onSearch }: { readonly search: JobSearch; readonly onSearch: () => void }) {
  return (
    <label className="flex items-center gap-2">
      <span className="text-soft">Find a job</span>
      <input
        type="search"
        className="input w-48"
        placeholder={`${search.found} jobs`}
        value={search.q}
        onChange={(event) => {
          onSearch();
          search.setQ(event.target.value);
        }}
      />
    </label>
  );
}

interface JobChoiceProps {
  readonly jobs: readonly JobSummary[];
  /** May be a job that is not among the first ones. */
  readonly jobId: string;
  readonly onChoose: (jobId: string) => void;
}

function JobChoice({ jobs, jobId, onChoose }: JobChoiceProps) {
  return (
    <label className="flex max-w-full min-w-0 items-center gap-2">
      <span className="text-soft">Job</span>
      <select
        className="input w-auto max-w-80 min-w-0"
        value={jobId}
        onChange={(event) => onChoose(event.target.value)}
      >
        {!jobs.some(({ job_id }) => job_id === jobId) && <option>{jobId}</option>}
        {jobs.map(({ job_id, sample_id, state }) => (
          <option key={job_id} value={job_id}>
            {job_id}
            {sample_id === null ? "" : ` (${sample_id})`}: {STATE_LOOKS[state].word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface JobLogProps {
  readonly runId: string;
  readonly jobId: string;
  readonly stream: LogStream;
}

function JobLog({ runId, jobId, stream }: JobLogProps) {
  const job = useQuery(jobQuery(runId, jobId));
  return (
    <QueryView query={job}>
      {(data) =>
        data.logs === undefined ? (
          <EmptyState
            text={
              data.command === undefined
                ? "An expression writes no log."
                : data.phase === "ended"
                  ? "The job ended before it wrote anything."
                  : "The job has not started yet."
            }
          />
        ) : (
          <LogView source={{ runId, jobId, stream }} sizeBytes={data.logs[stream].size} live={data.phase !== "ended"} />
        )
      }
    </QueryView>
  );
}
