import { useQuery } from "@tanstack/react-query";
import type { Job, JobAttempt, JobCache } from "@weft/shared/records/job-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { jobQuery } from "../../../api/queries/job-queries.ts";
import { JobBadge } from "../../../components/badges.tsx";
import { FileLink } from "../../../components/file-link.tsx";
import { EditLink } from "../../../components/process/process-link.tsx";
import { usedText } from "../../../components/resource-text.ts";
import { ValueView } from "../../../components/value-view.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { formatDateTime } from "../../../format/format-time.ts";
import { cacheReason, killText, sandboxText } from "../../../format/job-text.ts";
import { links } from "../../../format/links.ts";
import { sentence } from "../../../format/sentence.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { SidePanel } from "../../../ui/modal.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { DurationText } from "../../../ui/time-text.tsx";
import { type Fact, Facts } from "../../../ui/titled-section.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { BundleMenu } from "../failures/failure-actions.tsx";
import { StderrTail } from "../log/log-text.tsx";

const HEADS = {
  hit: "Reused from an earlier run.",
  miss: "Not cached.",
  off: "Cache not used.",
} as const;

/** One job in a side panel. */
export default function JobPanel({
  runId,
  jobId,
  onClose,
}: {
  readonly runId: string;
  readonly jobId: string;
  readonly onClose: () => void;
}) {
  const job = useQuery(jobQuery(runId, jobId));
  return (
    <SidePanel title={jobId} onClose={onClose}>
      <QueryView query={job}>{(data) => <JobDetail job={data} />}</QueryView>
    </SidePanel>
  );
}

/** All details of a job, which suffice to repeat it manually. */
function JobDetail({ job }: { readonly job: Job }) {
  return (
    <div className="space-y-5">
      <JobState job={job} />
      <Facts facts={factsOf(job)} />
      {job.phase !== "waiting" && <BundleMenu job={job} />}
      {job.cache !== null && (
        <Section title="Cache">
          <JobCacheView cache={job.cache} />
        </Section>
      )}
      <Section title={job.cached ? "Command line (original job)" : "Command line"}>
        <CommandLine job={job} />
        <CommandToolLink job={job} />
      </Section>
      {job.attempts.length > 1 && (
        <Section title="Attempts">
          <JobAttempts attempts={job.attempts} />
        </Section>
      )}
      <Section title="Inputs">
        <ObjectView values={job.inputs} />
      </Section>
      <Section title="Outputs">
        {job.outputs === null ? (
          <p className="text-soft">{job.phase === "ended" ? "None." : "None yet."}</p>
        ) : (
          <ObjectView values={job.outputs} />
        )}
      </Section>
      <Environment variables={Object.entries(job.command?.env ?? {})} />
    </div>
  );
}

function CommandToolLink({ job }: { readonly job: Job }) {
  if (job.command === undefined || job.command === null) return null;
  const to = links.newTool({ run: job.run_id, job: job.job_id });
  return (
    <p className="mt-2">
      <EditLink to={to} label="Make a tool of this command" icon="plus" className="btn btn-small" />
    </p>
  );
}

function JobState({ job }: { readonly job: Job }) {
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <JobBadge job={job} />
        {job.phase !== "ended" && <span className="text-soft">{job.phase}</span>}
        <Link className="link ml-auto" to={links.view({ tab: "logs", job: job.job_id })}>
          Open log
        </Link>
      </div>
      {job.state_reason !== null && (
        <p className="mt-2">
          {sentence(job.state_reason.message)}{" "}
          <span className="text-soft">{sentence(job.state_reason.hint ?? "")}</span>
        </p>
      )}
      <StderrTail job={job} />
    </div>
  );
}

function Environment({ variables }: { readonly variables: readonly (readonly [name: string, value: string])[] }) {
  if (variables.length === 0) return null;
  const text = variables.map(([name, value]) => `${name}=${value}`).join("\n");
  return (
    <Section title="Environment">
      <CodeBlock label="Environment" text={text} maxHeight="14rem" />
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5">{title}</h3>
      {children}
    </section>
  );
}

function CommandLine({ job }: { readonly job: Job }) {
  if (job.command === undefined) return <p className="text-soft">Evaluated by Weft – no command</p>;
  if (job.command === null)
    return (
      <p className="text-soft">
        {job.phase === "ended" ? "The job stopped before it was prepared." : "Available when the job starts."}
      </p>
    );
  return (
    <>
      <CodeBlock label="Command line" text={shellLine(job.command)} wrap maxHeight="16rem" />
      <p className="code mt-1 wrap-anywhere text-soft">in {job.command.workdir}</p>
    </>
  );
}

function ObjectView({ values }: { readonly values: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(values).map(([name, value]): Fact => [
    name,
    <ValueView key={name} value={value} renderFile={(file) => <FileLink file={file} />} />,
  ]);
  return facts.length === 0 ? <p className="text-soft">None.</p> : <Facts facts={facts} />;
}

function factsOf(job: Job): readonly (Fact | false)[] {
  const { timing, resources } = job;
  const { requested, used } = resources;
  const unknown = job.phase === "ended" ? "none" : "not yet";
  return [
    ["Step", job.step === "" ? "Tool" : job.step],
    job.sample_id !== null && ["Sample", job.sample_id],
    ["Tool", <ToolLink key="tool" tool={job.tool} />],
    ["Queued", formatDateTime(timing.queued_at)],
    [
      "Started",
      timing.started_at === null
        ? unknown
        : `${formatDateTime(timing.started_at)}${timing.queued_ms === null ? "" : ` (queued ${formatDuration(timing.queued_ms)})`}`,
    ],
    [
      "Duration",
      <DurationText key="ran" start={timing.started_at} end={timing.ended_at} durationMs={timing.running_ms} />,
    ],
    ["Exit code", exitCodeOf(job) ?? (job.signal === null ? unknown : `killed by signal ${job.signal}`)],
    [
      "Requested",
      requested === null ? "unknown" : `${countText(requested.cores, "core")}, ${formatBytes(requested.ram_bytes)}`,
    ],
    ["Used", usedText(used, requested?.ram_bytes ?? null)],
    job.kill !== undefined && ["Stopped by Weft", killText(job.kill)],
    ["Attempt", job.attempt],
    ["Backend", [job.backend.kind, job.backend.native_id ?? ""].join(" ").trim()],
    job.container !== undefined && ["Container", job.container],
    job.sandbox !== undefined && ["Sandbox", sandboxText(job.sandbox)],
  ];
}

/** After the program exits, the job continues to collect its outputs. */
function exitCodeOf({ exit_code, phase }: Job): number | null {
  return phase === "ended" ? exit_code : null;
}

function ToolLink({ tool }: { readonly tool: Job["tool"] }) {
  if (tool.id === null) return <>{tool.label ?? "inline process"}</>;
  return (
    <TextLink to={links.tool({ id: tool.id, version: tool.version })}>
      {tool.id} {tool.version}
    </TextLink>
  );
}

/** The result of each attempt of a job, the current one last. */
function JobAttempts({ attempts }: { readonly attempts: readonly JobAttempt[] }) {
  return (
    <ol className="space-y-2">
      {attempts.map(({ attempt, state, state_reason, started_at, ram_bytes, used }) => (
        <li key={attempt} className="flex flex-wrap items-baseline gap-x-2">
          <span>{attempt}.</span>
          <StateBadge state={state} />
          <span className="text-soft">{started_at === null ? "" : formatDateTime(started_at)}</span>
          <span className="text-soft">
            {ram_bytes === null ? "" : `requested ${formatBytes(ram_bytes)} memory; `}
            {usedText(used, ram_bytes)}
          </span>
          {state_reason !== null && <span className="wrap-anywhere">{sentence(state_reason.message)}</span>}
        </li>
      ))}
    </ol>
  );
}

/** Shows whether a job reused an earlier result, or why it ran. */
function JobCacheView({ cache }: { readonly cache: JobCache }) {
  return (
    <div className="space-y-1.5 wrap-anywhere">
      <p>
        <span className="font-semibold">{HEADS[cache.decision]}</span>{" "}
        {cache.diff.length === 0 && sentence(cacheReason(cache))}
      </p>
      {cache.diff.length > 0 && (
        <ul className="list-disc pl-5">
          {cache.diff.map(({ component, name, message }) => (
            <li key={`${component} ${name ?? ""}`}>{sentence(message)}</li>
          ))}
        </ul>
      )}
      {cache.job !== undefined && (
        <p>
          <TextLink to={links.run(cache.job.run_id, { tab: "jobs", job: cache.job.job_id })}>
            {cache.decision === "hit" ? "View original job" : "Compare with previous job"}
          </TextLink>
        </p>
      )}
      {cache.not_kept !== undefined && (
        <p className="text-canceled">{sentence(`this result can't be reused: ${cache.not_kept}`)}</p>
      )}
    </div>
  );
}
