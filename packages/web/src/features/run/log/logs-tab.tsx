import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useDeferredValue, useState } from "react";
import { type LogSource, type LogStream, jobLogUrl, jobPageQuery, jobQuery } from "../../../api/queries/job-queries.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { formatDateTime } from "../../../format/format-time.ts";
import { JOB_STATE_ORDER, STATE_LOOKS, parseJobState } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Input, Select } from "../../../ui/field.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { StateIcon, TONES } from "../../../ui/state-badge.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { JobName } from "../jobs/job-name.tsx";
import { LogView } from "./log-view.tsx";
import { PrunedNote, isPruned } from "../run-storage.tsx";

/**
 * The logs of a run's jobs: searchable, failed jobs first. A log opens at its end and follows it while the job runs.
 */
export default function LogsTab({ run }: { readonly run: Run }) {
  const [q, setQ] = useState("");
  const [state, setState] = useState("");
  const asked = useDeferredValue(q.trim());
  const wanted = parseJobState(state);
  const filter = { q: asked, state: wanted, sort: "state" } as const;
  const jobs = useQuery({ ...jobPageQuery(run.run_id, filter, 0), placeholderData: keepPreviousData });
  const [chosen, setChosen] = useSearchParam("job");
  if (isPruned(run, "logs")) return <PrunedNote run={run} part="logs" />;
  const isFiltered = q !== "" || state !== "";
  return (
    <QueryView query={jobs}>
      {({ jobs: found, total }) => {
        if (found.length === 0 && !isFiltered) return <EmptyState text="No jobs queued yet." />;
        const jobId = chosen || (found.find(writesLogs) ?? found[0])?.job_id;
        return (
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[19rem_minmax(0,1fr)]">
            <section aria-label="Jobs" className="card p-3">
              <JobSearch q={q} onQ={setQ} state={state} onState={setState} />
              <JobList jobs={found} chosen={jobId} onChoose={setChosen} />
              <p role="status" className="mt-2 text-small text-soft">
                {found.length === 0
                  ? "No jobs match."
                  : found.length < (total ?? 0)
                    ? `First ${numberText(found.length)} of ${numberText(total ?? 0)}. Search to find others.`
                    : `${numberText(found.length)} of ${numberText(total ?? 0)}`}
              </p>
            </section>
            {jobId === undefined ? (
              <EmptyState text="No jobs match." />
            ) : (
              <JobLogs key={jobId} runId={run.run_id} jobId={jobId} />
            )}
          </div>
        );
      }}
    </QueryView>
  );
}

/** Jobs that never started a program have no log. */
function writesLogs({ state, exit_code: code }: JobSummary): boolean {
  return !STATE_LOOKS[state].final || code !== null || state !== "COMPLETE";
}

interface JobSearchProps {
  readonly q: string;
  readonly onQ: (q: string) => void;
  readonly state: string;
  readonly onState: (state: string) => void;
}

function JobSearch({ q, onQ, state, onState }: JobSearchProps) {
  return (
    <div>
      <Input
        type="search"
        aria-label="Find a job by name, step or sample"
        placeholder="Job, step or sample"
        value={q}
        onType={onQ}
      />
      <Select<string>
        className="mt-2"
        aria-label="State"
        value={state}
        none="all states"
        options={JOB_STATE_ORDER.map((id) => ({ id, label: STATE_LOOKS[id].word }))}
        onChoose={onState}
      />
    </div>
  );
}

interface JobListProps {
  readonly jobs: readonly JobSummary[];
  readonly chosen: string | undefined;
  readonly onChoose: (jobId: string) => void;
}

function JobList({ jobs, chosen, onChoose }: JobListProps) {
  return (
    <ul className="mt-2 max-h-[calc(100dvh-19rem-var(--views,0rem))] overflow-y-auto max-lg:max-h-44" data-rows>
      {jobs.map(({ job_id: id, sample_id: sample, state }) => (
        <li key={id}>
          <Button
            look="bare"
            aria-current={id === chosen ? "true" : undefined}
            className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left -outline-offset-2 hover:bg-sunken aria-current:bg-accent-soft max-md:min-h-11"
            onClick={() => onChoose(id)}
          >
            <span className={TONES[STATE_LOOKS[state].tone].text}>
              <StateIcon state={state} />
              <span className="sr-only">{STATE_LOOKS[state].word}</span>
            </span>
            <span className="sr-only">{id}</span>
            <span className="flex min-w-0" title={id} aria-hidden="true">
              <JobName jobId={id} />
            </span>
            {sample !== null && (
              <span className="ml-auto max-w-2/5 shrink-0 truncate text-small text-soft">{sample}</span>
            )}
          </Button>
        </li>
      ))}
    </ul>
  );
}

const STREAMS = [
  { id: "", label: "Standard error" },
  { id: "stdout", label: "Standard output" },
  { id: "both", label: "Both" },
] as const;

function JobLogs({ runId, jobId }: { readonly runId: string; readonly jobId: string }) {
  const job = useQuery(jobQuery(runId, jobId));
  const [wanted, setWanted] = useSearchParam("stream");
  const chosen = STREAMS.find(({ id }) => id === wanted)?.id ?? "";
  const streams: readonly LogStream[] =
    chosen === "both" ? ["stderr", "stdout"] : [chosen === "stdout" ? "stdout" : "stderr"];
  return (
    <div className="min-w-0 space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 truncate">{jobId}</h2>
        <Segments label="Stream" options={STREAMS} chosen={chosen} onChoose={setWanted} />
        {streams.map((stream) => (
          <a
            key={stream}
            className="btn"
            href={jobLogUrl({ runId, jobId, stream })}
            download={`${jobId}.${stream}.log`}
          >
            Download {streams.length > 1 ? stream : "log"}
          </a>
        ))}
        {job.data !== undefined && <JobTimes job={job.data} />}
      </div>
      {streams.map((stream) => (
        <section key={stream} aria-label={stream}>
          {streams.length > 1 && <h3 className="mb-1">{stream === "stderr" ? "Standard error" : "Standard output"}</h3>}
          <QueryView query={job}>
            {(data) => <JobLog job={data} source={{ runId, jobId, stream }} isAlone={streams.length === 1} />}
          </QueryView>
        </section>
      ))}
    </div>
  );
}

/** The times of a job, because programs write lines without times. */
function JobTimes({ job: { timing } }: { readonly job: Job }) {
  const { started_at: started, ended_at: ended } = timing;
  if (started === null) return null;
  return (
    <p className="text-soft">
      Started <time dateTime={started}>{formatDateTime(started)}</time>
      {ended !== null && (
        <>
          , ended <time dateTime={ended}>{formatDateTime(ended)}</time>
        </>
      )}
    </p>
  );
}

interface JobLogProps {
  readonly job: Job;
  readonly source: LogSource;
  readonly isAlone: boolean;
}

function JobLog({ job: { command, logs, phase }, source, isAlone }: JobLogProps) {
  if (logs !== undefined)
    return <LogView source={source} sizeBytes={logs[source.stream].size} live={phase !== "ended"} isAlone={isAlone} />;
  if (command === undefined) return <EmptyState text="Expressions don't write logs." />;
  const text = phase === "ended" ? "The job stopped before it wrote a log." : "The job has not started yet.";
  return <EmptyState text={text} />;
}
