import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { ownUrl } from "../../api/base-path.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { links } from "../../format/links.ts";
import { sampleTotal } from "../../format/sample-total.ts";
import { Code, CodeBlock } from "../../ui/code-block.tsx";
import { type Fact, Facts, TitledSection } from "../../ui/titled-section.tsx";
import { RunStorage } from "./run-storage.tsx";
import { useQuery } from "@tanstack/react-query";
import type { RunSizing as RunSizingRecord } from "@weft/shared/records/insight-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link } from "react-router-dom";
import { runSizingQuery } from "../../api/queries/job-queries.ts";
import { processName } from "../../format/process-name.ts";
import { CACHE_CHOICES, FAILURE_CHOICES, labelOf } from "../../components/run-form/model/run-settings.ts";
import { coresText } from "../../components/resource-text.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";

/** Identity, options and API links of a run, and its record in the API. */
export default function RunInfo({ run }: { readonly run: Run }) {
  return (
    <div className="space-y-5">
      <TitledSection title="About the run" card>
        <Facts facts={[...identityOf(run), ...optionsOf(run)]} />
        <details className="mt-3">
          <summary className="w-fit cursor-pointer text-soft hover:text-ink">API links</summary>
          <div className="mt-2">
            <Facts facts={linksOf(run)} />
          </div>
        </details>
      </TitledSection>
      <RunStorage run={run} />
      <RunSizing run={run} />
      <TitledSection title="Run record">
        <CodeBlock label="Run record as JSON" text={JSON.stringify(run, null, 2)} maxHeight="32rem" />
      </TitledSection>
    </div>
  );
}

function identityOf(run: Run): readonly Fact[] {
  const process = run.network ?? run.tool;
  return [
    ["Run ID", <Code key="id">{run.run_id}</Code>],
    ["Process", processName(run)],
    ["Process ID", process?.id],
    ["Digest", <Code key="digest">{process?.digest}</Code>],
    ["Created", formatDateTime(run.created_at)],
    ["Started", run.start_time === null ? "not yet" : formatDateTime(run.start_time)],
    ["Finished", run.end_time === null ? "not yet" : formatDateTime(run.end_time)],
    ["Owner", run.owner],
    ["Weft version", engineText(run)],
    ["Revision", run.revision],
  ];
}

function engineText({ engine }: Run): string {
  if (engine === undefined) return "not recorded";
  return engine.platform === null ? engine.version : `${engine.version} on ${engine.platform}`;
}

function optionsOf(run: Run): readonly Fact[] {
  const tags = Object.entries(run.tags).map(([key, value]) => `${key}: ${value}`);
  return [
    ["When a job fails", labelOf(FAILURE_CHOICES, run.options.on_failure ?? DEFAULT_FAILURE_POLICY)],
    ["Max parallel jobs", run.options.max_parallel_jobs ?? "no limit"],
    ["Priority", run.options.priority ?? 0],
    ["Retries per job", run.options.retries ?? "2, temporary errors only"],
    ["When a job runs out of memory", memoryText(run.options.on_out_of_memory)],
    ["Cached results", labelOf(CACHE_CHOICES, run.options.cache ?? "use")],
    ["Samples", `${run.samples.join(", ") || "none"}${sampleTotal(run) === undefined ? " and more" : ""}`],
    ["Tags", tags.join(", ") || "none"],
  ];
}

function memoryText(wanted: Run["options"]["on_out_of_memory"]): string {
  if (wanted === undefined) return "Fail the job";
  const most = wanted.up_to_bytes === undefined ? "the machine's memory" : formatBytes(wanted.up_to_bytes);
  return `Retry with ${wanted.multiply} × the memory, up to ${most}`;
}

function linksOf(run: Run): readonly Fact[] {
  return Object.entries(run.links).map(([name, url]): Fact => [
    name.replaceAll("_", " "),
    <a key={name} className="link code" href={ownUrl(url)}>
      {ownUrl(url)}
    </a>,
  ]);
}

type StepSizing = RunSizingRecord["steps"][number];

const COLUMNS: readonly Column<StepSizing>[] = [
  {
    label: "Step",
    bare: true,
    render: ({ step, tool }) => (
      <>
        <span className="font-medium">{step === "" ? "Tool" : step}</span>
        {tool?.version != null && (
          <Link className="link ml-2" to={links.tool(tool, { tab: "resources" })}>
            {tool.id} {tool.version}
          </Link>
        )}
      </>
    ),
  },
  { label: "Jobs", number: true, render: ({ sizing }) => sizing.jobs },
  {
    label: "Cores",
    number: true,
    render: ({ sizing: { used, requested } }) => pair(used.cores?.p95, requested.cores, coresText),
  },
  {
    label: "Memory",
    number: true,
    render: ({ sizing: { used, requested } }) => pair(used.ram_bytes?.p95, requested.ram_bytes, formatBytes),
  },
  {
    label: "Time",
    number: true,
    render: ({ sizing: { used } }) => (used.time_ms === null ? "–" : formatDuration(used.time_ms.p95)),
  },
  { label: "Suggestion", render: (found) => <Suggestion found={found} /> },
];

/** Requested and used resources of each step, in this and earlier runs; hidden without measurements. */
function RunSizing({ run }: { readonly run: Run }) {
  const { data } = useQuery(runSizingQuery(run.run_id));
  const measured = data?.steps.filter(({ sizing }) => sizing.jobs > 0) ?? [];
  if (measured.length === 0) return null;
  return (
    <TitledSection title="Resources used (95th percentile) and requested">
      <p className="mb-2 text-soft">
        95% of jobs used no more than the first number. Based on this run and up to five earlier runs of this network.
      </p>
      <DataTable
        caption="Used and requested resources by step"
        columns={COLUMNS}
        rows={measured}
        keyOf={({ step }) => step}
      />
    </TitledSection>
  );
}

function Suggestion({ found: { step, sizing } }: { readonly found: StepSizing }) {
  const { suggestion, requested } = sizing;
  if (suggestion === null) return <span title="Not enough measurements">–</span>;
  const { cores_min: cores, ram_min_mib: mib, text } = suggestion;
  const wanted = [
    ...(cores === null ? [] : [insteadOf(countText(cores, "core"), requested.cores, coresText)]),
    ...(mib === null ? [] : [insteadOf(formatBytes(mib * MIB), requested.ram_bytes, formatBytes)]),
  ];
  return (
    <span className="flex flex-wrap items-center gap-2">
      Request {wanted.join(" and ")}
      <CopyButton text={text} name={`suggestion for ${step === "" ? "the tool" : step}`} />
    </span>
  );
}

const MIB = 1024 ** 2;

function insteadOf(wanted: string, requested: number | null, text: (value: number) => string): string {
  return requested === null ? wanted : `${wanted} instead of ${text(requested)}`;
}

function pair(used: number | undefined, requested: number | null, text: (value: number) => string): string {
  return `${used === undefined ? "–" : text(used)} / ${requested === null ? "–" : text(requested)}`;
}
