import { useQuery } from "@tanstack/react-query";
import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import type { Run, RunOutputs } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { jobListQuery } from "../../api/queries/job-queries.ts";
import { jobSummaryAt } from "../../api/queries/jobs-at.ts";
import { runOutputsQuery } from "../../api/queries/run-queries.ts";
import { JobBadge } from "../../components/badges.tsx";
import { FileLink } from "../../components/file-link.tsx";
import { EditLink } from "../../components/process/process-link.tsx";
import { useMoment } from "../../components/run/use-moment.ts";
import { LongList, ValueView, type ValueViewProps } from "../../components/value-view.tsx";
import { links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { DurationText } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { MissingMark, MissingNote, PartialNote } from "./partial-outputs.tsx";
import { WholeRun } from "./whole-run.tsx";

const renderFile: ValueViewProps["renderFile"] = (file) => <FileLink file={file} />;

/** Jobs of a selected step; the value of a selected input or output. Ports of nested networks have no values. */
export default function SelectedInRun({
  run,
  graph,
  path,
}: {
  readonly run: Run;
  readonly graph: GraphRecord;
  readonly path: string;
}) {
  const node = graph.nodes.find(({ id, kind }) => id === path && kind !== "step");
  if (node !== undefined) return <NodeValues run={run} node={node} />;
  if (run.step_counts.some(({ step }) => step === path)) return <StepJobs runId={run.run_id} step={path} />;
  return <p className="text-soft">Nested network. Select one of its steps to see jobs.</p>;
}

/** The value of the input or output of a run that is selected in its graph. */
function NodeValues({ run, node }: { readonly run: Run; readonly node: GraphNodeRecord }) {
  const id = node.id.slice(node.kind.length + 1);
  return (
    <TitledSection title={`${node.kind === "input" ? "Input" : "Output"} ${node.label}`} card>
      <WholeRun run={run} part={node.kind === "input" ? "inputs" : "outputs"}>
        {(whole) =>
          node.kind === "input" ? <InputValue value={whole.inputs?.[id]} /> : <OutputValue run={whole} id={id} />
        }
      </WholeRun>
    </TitledSection>
  );
}

function InputValue({ value }: { readonly value: unknown }) {
  return value === undefined || value === null ? (
    <p className="text-soft">Not set (default, if any).</p>
  ) : (
    <ValueView value={value} renderFile={renderFile} />
  );
}

function OutputValue({ run, id }: { readonly run: Run; readonly id: string }) {
  const query = useQuery({ ...runOutputsQuery(run.run_id), enabled: run.partial });
  if (run.partial)
    return (
      <div className="space-y-3">
        <PartialNote run={run} isTruncated={query.data?.truncated === true} />
        <QueryView query={query} rows={8}>
          {(produced) => <PartialValue output={id} produced={produced} />}
        </QueryView>
      </div>
    );
  if (run.outputs !== null) return <ValueView value={run.outputs[id]} renderFile={renderFile} />;
  return (
    <p className="text-soft">
      {STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
    </p>
  );
}

/** The value of one output; names the samples of missing elements. */
function PartialValue({ output, produced }: { readonly output: string; readonly produced: RunOutputs }) {
  const value = produced.outputs?.[output];
  const missing = produced.missing.filter((entry) => entry.output === output);
  const byPlace = new Map(missing.map((entry) => [entry.index.join(), entry]));
  const show = (part: unknown, index: readonly number[]): ReactNode => {
    const lack = part === null ? byPlace.get(index.join()) : undefined;
    if (lack !== undefined) return <MissingMark entry={lack} />;
    if (!Array.isArray(part)) return <ValueView value={part} renderFile={renderFile} />;
    return <LongList values={part} renderItem={(item, place) => show(item, [...index, place])} />;
  };
  return (
    <>
      <MissingNote missing={missing} />
      {(value !== null || missing.length === 0 || byPlace.has("")) && show(value, [])}
    </>
  );
}

const SHOWN = 12;

/** The first jobs of the step that is selected in the graph. */
function StepJobs({ runId, step }: { readonly runId: string; readonly step: string }) {
  const { isPast, atMs } = useMoment(runId);
  const jobs = useQuery({
    ...jobListQuery(runId, { step, page_size: SHOWN }),
    ...(isPast && { refetchInterval: false as const }),
  });
  const network = links.newNetwork({ run: runId, step: step.split("/")[0] });
  return (
    <TitledSection card title={`Jobs of ${step}`}>
      <p className="mb-2">
        <EditLink to={network} label="Make a network of this step" icon="plus" className="btn btn-small" />
      </p>
      <QueryView query={jobs} rows={2}>
        {(data) => (
          <>
            {shownJobs(data.jobs, atMs).length === 0 && <p className="text-soft">No jobs yet.</p>}
            <ul className="space-y-1.5">
              {shownJobs(data.jobs, atMs).map((job) => (
                <JobLine key={job.job_id} job={job} />
              ))}
            </ul>
            {data.next_page_token !== "" && (
              <Link className="link mt-2 inline-block" to={links.view({ tab: "jobs", step })}>
                All jobs of {step}
              </Link>
            )}
          </>
        )}
      </QueryView>
    </TitledSection>
  );
}

function JobLine({ job }: { readonly job: JobSummary }) {
  return (
    <li className="flex items-center gap-2">
      <JobBadge job={job} />
      <Link className="link min-w-0 truncate" to={links.view({ tab: "jobs", job: job.job_id })}>
        {job.sample_id ?? job.job_id}
      </Link>
      <span className="ml-auto text-soft">
        <DurationText start={job.timing.started_at} end={job.timing.ended_at} durationMs={job.timing.running_ms} />
      </span>
    </li>
  );
}

/** The jobs now, or at the moment shown. */
function shownJobs(jobs: readonly JobSummary[], atMs: number | undefined): readonly JobSummary[] {
  return atMs === undefined ? jobs : jobs.flatMap((job) => jobSummaryAt(job, atMs) ?? []);
}
