import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { ownUrl } from "../../api/own-url.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Facts, type Fact } from "../../ui/facts.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { RunStorage } from "./run-storage.tsx";

/** Identity, options and addresses of a run, and its record as the API gives it. */
export function RunInfo({ run }: { readonly run: Run }) {
  return (
    <div className="space-y-5">
      <TitledSection title="About the run" card>
        <Facts facts={[...identityOf(run), ...optionsOf(run), ...linksOf(run)]} />
      </TitledSection>
      <RunStorage run={run} />
      <TitledSection title="The record">
        <CodeBlock label="The run as JSON" text={JSON.stringify(run, null, 2)} maxHeight="32rem" />
      </TitledSection>
    </div>
  );
}

const FAILURE_WORDS = {
  continue: "continue with independent jobs",
  finish_running: "let running jobs finish, start no new ones",
  stop_now: "stop everything immediately",
} as const;

const CACHE_WORDS = {
  use: "taken over where they hold",
  refresh: "not taken over; its own are kept",
  off: "not taken over, and its own are not kept",
} as const;

function identityOf(run: Run): readonly Fact[] {
  const process = run.network ?? run.tool;
  return [
    [
      "Run id",
      <span key="id" className="code">
        {run.run_id}
      </span>,
    ],
    ["Process", `${process?.id ?? ""} ${process?.version ?? ""}`],
    [
      "Digest",
      <span key="digest" className="code">
        {process?.digest}
      </span>,
    ],
    ["Created", formatDateTime(run.created_at)],
    ["Started", run.start_time === null ? "not yet" : formatDateTime(run.start_time)],
    ["Ended", run.end_time === null ? "not yet" : formatDateTime(run.end_time)],
    ["Owner", run.owner],
    ["Weft", engineText(run)],
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
    ["When a job fails", FAILURE_WORDS[run.options.on_failure ?? DEFAULT_FAILURE_POLICY]],
    ["Jobs at once", run.options.max_parallel_jobs ?? "no bound of its own"],
    ["Priority", run.options.priority ?? 0],
    ["Tries again", run.options.retries ?? "only what is temporary, twice"],
    ["When memory runs out", memoryText(run.options.on_out_of_memory)],
    ["Results of earlier jobs", CACHE_WORDS[run.options.cache ?? "use"]],
    ["Samples", run.samples.join(", ") || "none named"],
    ["Tags", tags.join(", ") || "none"],
  ];
}

function memoryText(wanted: Run["options"]["on_out_of_memory"]): string {
  if (wanted === undefined) return "the job fails like any other";
  const most = wanted.up_to_bytes === undefined ? "what the machine has" : formatBytes(wanted.up_to_bytes);
  return `tries again with ${wanted.multiply} times the memory, up to ${most}`;
}

function linksOf(run: Run): readonly Fact[] {
  return Object.entries(run.links).map(([name, url]): Fact => [
    `Link: ${name}`,
    <a key={name} className="link code" href={ownUrl(url)}>
      {ownUrl(url)}
    </a>,
  ]);
}
