import type { Plan, PlannedContainer, PlannedJob, PlannedStep } from "@weft/shared/records/plan-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { useEffect, useRef, useState } from "react";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { cacheReason } from "../../format/job-text.ts";
import { sentence } from "../../format/sentence.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";

interface PlanViewProps {
  readonly plan: Plan;
  /** Plans the current form again; undefined if the plan is up to date. */
  readonly onAgain: (() => void) | undefined;
}

/**
 * A plan of the run: its steps, with the reason if their jobs are not known yet, and command line, container and
 * resources of the known jobs.
 */
export function PlanView({ plan, onAgain }: PlanViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const names = new Map(plan.steps.map(({ step, label }) => [step, label ?? (step === "" ? "Tool" : step)]));
  const nameOf = (step: string): string => names.get(step) ?? step;
  return (
    <section aria-labelledby="plan-title" className="card mt-4 p-4 md:p-5">
      <h2 id="plan-title" ref={heading} tabIndex={-1} className="outline-none">
        Preview – nothing has been started
      </h2>
      {onAgain !== undefined && (
        <p role="status" className="mt-2 flex flex-wrap items-center gap-2">
          <strong className="text-failed">Outdated: you have changed something since.</strong>
          <Button small onClick={onAgain}>
            Preview again
          </Button>
        </p>
      )}
      <PlannedSteps plan={plan} nameOf={nameOf} />
      <h3 className="mt-4 mb-2">
        First jobs
        {plan.jobs.length < plan.jobs_shown_of
          ? ` (${plan.jobs.length} of ${numberText(plan.jobs_shown_of)} shown)`
          : ""}
      </h3>
      {plan.jobs.length === 0 && <p className="text-soft">No jobs.</p>}
      <ol className="space-y-3">
        {[...Map.groupBy(plan.jobs, ({ step, cache }) => `${step} ${cache.decision}`)].map(([key, jobs]) => (
          <PlannedJobs key={key} jobs={jobs} name={nameOf(jobs[0]?.step ?? "")} />
        ))}
      </ol>
    </section>
  );
}

function PlannedSteps({ plan, nameOf }: Pick<PlanViewProps, "plan"> & { readonly nameOf: (step: string) => string }) {
  return (
    <ul className="mt-3 space-y-1">
      {plan.steps.map((step) => (
        <li key={step.step} className="flex flex-wrap items-baseline gap-x-3 rounded-lg bg-sunken px-2.5 py-1">
          <span className="wrap-anywhere">{nameOf(step.step)}</span>
          <span className="text-soft tabular-nums">{jobsText(step)}</span>
          {step.unknown_because.length > 0 && (
            <span className="wrap-anywhere text-soft">{step.unknown_because.join("; ").replaceAll("`", "")}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Jobs of a step, which differ in little more than the names of files: the first one, and the others on demand. */
function PlannedJobs({
  jobs: [first, ...others],
  name,
}: {
  readonly jobs: readonly PlannedJob[];
  readonly name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  if (first === undefined) return null;
  return (
    <li className="space-y-3">
      <PlannedJobView job={first} step={name} />
      {others.length > 0 && (
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"} {countText(others.length, "more job")} of {name}
        </Button>
      )}
      {isOpen && others.map((job) => <PlannedJobView key={job.scatter_index.join(".")} job={job} step={name} />)}
    </li>
  );
}

function jobsText({ jobs_total: jobs, jobs_total_is_final: isFinal }: PlannedStep): string {
  if (!isFinal && jobs === 0) return "number of jobs depends on earlier results";
  return `${countText(jobs, "job")}${isFinal ? "" : " so far"}`;
}

const PLANNED = { hit: "reused", miss: "runs", off: "runs", unknown: "undecided" } as const;

function PlannedJobView({ job, step }: { readonly job: PlannedJob; readonly step: string }) {
  const name = [step, job.sample_id ?? job.scatter_index.join(".")].filter((part) => part !== "").join(" · ");
  return (
    <div>
      <p className="mb-1 flex flex-wrap gap-x-3">
        <span className="font-medium">{name}</span>
        {job.resources !== null && (
          <span className="text-soft">
            {countText(job.resources.cores, "core")}, {formatBytes(job.resources.ram_bytes)}
          </span>
        )}
        {job.command !== null && (
          <span className="wrap-anywhere text-soft">Container: {containerText(job.container)}</span>
        )}
      </p>
      <p className="mb-1 text-soft">{sentence(`${PLANNED[job.cache.decision]}: ${cacheReason(job.cache)}`)}</p>
      {job.command === null ? (
        <p className="text-soft">Evaluated by Weft – no command</p>
      ) : (
        <CodeBlock label={`Command line of ${name}`} text={shellLine(job.command)} wrap maxHeight="12rem" />
      )}
    </div>
  );
}

function containerText(container: PlannedContainer | null): string {
  if (container === null) return "none";
  const { image, engine, version, digest, why } = container;
  if (engine === "none") return `none (requested: ${image}): ${why}`;
  return `${image} (${digest === undefined || digest === null ? "" : `${digest}, `}${engine} ${version})`;
}
