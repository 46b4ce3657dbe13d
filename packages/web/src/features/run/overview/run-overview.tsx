import type { Abort, ForeignRun, ImportedRun, Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { VerdictView } from "../../../components/run/verdict-view.tsx";
import { links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TimeAgo } from "../../../ui/time-text.tsx";
import { TitledSection } from "../../../ui/titled-section.tsx";
import { FailureCard, useFailure } from "../failures/failure-card.tsx";
import { RunSummary } from "../header/run-header.tsx";
import { RunResults, useFirstResults } from "./run-results.tsx";
import { StepTable } from "./step-table.tsx";
import { useRights } from "../../../api/session-query.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatClockTime, formatDateTime } from "../../../format/format-time.ts";
import { abortedJobsText, endedText, provenText } from "../../../format/job-text.ts";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { TextLink } from "../../../ui/text-link.tsx";

/** The run at a glance: failures and their causes, the first results, and the state of each step. */
export default function RunOverview({ run }: { readonly run: Run }) {
  const results = useFirstResults(run);
  const isFailureKnown = !useFailure(run).isPending;
  const [isShown, setShown] = useState(isFailureKnown);
  // The steps of a run that the user watched stay in place when the results appear.
  const [wasOpen] = useState(!STATE_LOOKS[run.state].final);
  // A failure is at the top; it does not hide a run that is already shown.
  if (isFailureKnown && !isShown) setShown(true);
  if (!isShown) return <Skeleton rows={12} />;
  return (
    <div className="space-y-4">
      <FailureCard run={run} />
      <RunSummary run={run} />
      <AbortCard run={run} />
      <ImportCard run={run} />
      <ReproductionCard run={run} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <RunResults {...results} />
        {/* Below the results, the steps wait for them, so that they do not move. */}
        <div
          className={wasOpen ? "min-w-0 max-lg:order-first" : results.isPending ? "min-w-0 max-lg:hidden" : "min-w-0"}
        >
          <TitledSection title="Steps" card>
            {run.step_counts.length === 0 ? (
              <p className="text-soft">No steps yet.</p>
            ) : (
              <div className="-mx-3">
                <StepTable run={run} />
              </div>
            )}
          </TitledSection>
        </div>
      </div>
    </div>
  );
}

/** The original run of a reproduction, and the result of the comparison. */
function ReproductionCard({ run }: { readonly run: Run }) {
  const { reproduction } = run;
  if (reproduction === undefined) return null;
  const { of: original, verdict, tolerance } = reproduction;
  const hasTolerance = tolerance.relative > 0 || tolerance.absolute > 0;
  return (
    <TitledSection title="Reproduction" card>
      <p className="mb-2">
        Reproduces <TextLink to={links.run(original)}>an earlier run</TextLink>
        {hasTolerance &&
          `; tolerance: ${Number((tolerance.relative * 100).toPrecision(6))}% relative, ${tolerance.absolute} absolute`}
        . <TextLink to={links.comparison([original, run.run_id])}>Compare</TextLink>
      </p>
      {verdict === null ? (
        <p className="text-soft">{STATE_LOOKS[run.state].final ? "Comparing…" : "Compared when this run finishes."}</p>
      ) : (
        <VerdictView verdict={verdict} runId={run.run_id} />
      )}
    </TitledSection>
  );
}

/** The origin of an imported run, and the user who imported it. */
function ImportCard({ run: { imported } }: { readonly run: Run }) {
  if (imported === undefined) return null;
  if (imported.foreign !== undefined) return <ForeignCard imported={imported} foreign={imported.foreign} />;
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        Imported from another server, where it ran as <span className="code wrap-anywhere">{imported.made_as}</span> by{" "}
        {imported.made_by}, <TimeAgo time={imported.made_at} />. {imported.imported_by} imported it from its crate,{" "}
        <TimeAgo time={imported.imported_at} />.
      </p>
      <p className="text-soft">
        Read-only. Use <em>Reproduce…</em> to run it here. Metadata SHA-256:{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
    </TitledSection>
  );
}

interface ForeignCardProps {
  readonly imported: ImportedRun;
  readonly foreign: ForeignRun;
}

/** The engine that made the run, and the facts that its crate lacks. */
function ForeignCard({ imported, foreign: { engine, language, missing } }: ForeignCardProps) {
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        {engine ?? "Another engine"} made this run{language === null ? "" : ` of a workflow in ${language}`}, as{" "}
        <span className="code wrap-anywhere">{imported.made_as}</span>, by {imported.made_by}. {imported.imported_by}{" "}
        imported it from its crate, <TimeAgo time={imported.imported_at} />. The crate's metadata has the SHA-256{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
      <p className="text-soft mb-2">
        Weft shows what the crate says, and cannot run it again. Command lines, logs and resources are not imported.
      </p>
      {missing.length > 0 && (
        <>
          <h3 className="mb-1 font-medium">What the crate does not say</h3>
          <ul className="text-soft list-disc pl-5">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </TitledSection>
  );
}

/** The user who aborted a run, the stopped jobs and processes, and the evidence that none remain. */
function AbortCard({ run }: { readonly run: Run }) {
  const { session } = useRights();
  const { abort } = run;
  if (abort === null) return null;
  const isProven = abort.confirmed_at !== null;
  return (
    <TitledSection title={isProven ? "Aborted" : "Aborting"} card>
      <p className="max-w-[90ch]">
        {isProven ? "Aborted" : "Abort requested"} by{" "}
        {abort.requested_by === session?.principal ? "you" : abort.requested_by}, {formatDateTime(abort.requested_at)}.{" "}
        {isProven ? `${abortedJobsText(abort)}. ${endedText(abort)}; ${provenText(abort)}.` : outstandingText(abort)}
      </p>
      {abort.jobs.length > 0 && <JobReports abort={abort} />}
    </TitledSection>
  );
}

function outstandingText({ outstanding_jobs: { length: count } }: Abort): string {
  const jobs = count === 0 ? "All jobs have stopped" : `Stopping ${countText(count, "job")}`;
  return `${jobs}; not yet verified that all processes have stopped.`;
}

const COLUMNS: readonly Column<Abort["jobs"][number]>[] = [
  {
    label: "Job",
    bare: true,
    render: ({ job_id: id }) => <TextLink to={links.view({ tab: "jobs", job: id })}>{id}</TextLink>,
  },
  { label: "Requested", render: (job) => formatClockTime(job.asked_at) },
  { label: "Signals", render: ({ signals }) => signals.join(", ") || "none" },
  { label: "Processes", number: true, render: (job) => job.processes_found },
  { label: "Killed", number: true, render: (job) => job.processes_killed },
  { label: "Verified", render: ({ confirmed_at: at }) => (at === null ? "not yet" : formatClockTime(at)) },
];

function JobReports({ abort }: { readonly abort: Abort }) {
  const more = abort.jobs_ended - abort.jobs.length;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">Details per job</summary>
      <div className="mt-2 max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Details per job">
        <DataTable caption="Details per job" columns={COLUMNS} rows={abort.jobs} keyOf={(job) => job.job_id} />
      </div>
      {more > 0 && <p className="mt-2 text-soft">And {more} more. Open a job to see its report.</p>}
    </details>
  );
}
