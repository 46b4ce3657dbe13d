import type { Links } from "@weft/shared/links.ts";
import type { WesServiceInfo } from "@weft/shared/records/ga4gh-record.ts";
import type { ListedJob } from "@weft/engine/port/engine.ts";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run, RunSummary } from "@weft/shared/records/run-record.ts";
import { isFinal, RUN_STATES } from "@weft/shared/records/state-names.ts";
import type { WesRunLog, WesRunSummary, WesTaskLog } from "@weft/shared/records/wes-record.ts";
import { serviceOf } from "./service.ts";

/** Documents of older versions are upgraded to this one before they run. */
const RUN_AS = "v1.2";

/** This server's service information in WES 1.1. Callers without a login (`isKnown` false) get no counts of runs. */
export function presentWesService(info: ServerStatus, links: Links, isKnown: boolean): WesServiceInfo {
  const counts = RUN_STATES.map((state) => [state, info.run_counts[state] ?? 0] as const);
  return {
    ...serviceOf({ artifact: "wes", standardVersion: "1.1.0", version: info.version, links }),
    workflow_type_versions: { CWL: { workflow_type_version: ["v1.0", "v1.1", "v1.2"] } },
    supported_wes_versions: ["1.1.0"],
    supported_filesystem_protocols: ["weft-data"],
    workflow_engine_versions: { weft: { workflow_engine_version: [info.version] } },
    default_workflow_engine_parameters: [
      { name: "on_failure", type: "string", default_value: DEFAULT_FAILURE_POLICY },
      { name: "max_parallel_jobs", type: "int", default_value: String(info.job_slots) },
    ],
    system_state_counts: isKnown ? Object.fromEntries(counts) : {},
    auth_instructions_url: `${links.base}/doc/how-to/use-the-api`,
    tags: {},
  };
}

export function presentWesSummary(run: RunSummary): WesRunSummary {
  return { run_id: run.run_id, state: run.state, ...span(run.start_time, run.end_time), tags: run.tags };
}

export function presentWesRun(run: Run, links: Links): WesRunLog {
  const messages = messagesOf(run);
  return {
    run_id: run.run_id,
    state: run.state,
    request: {
      workflow_params: run.inputs ?? {},
      workflow_type: "CWL",
      workflow_type_version: run.wes?.workflow_type_version ?? RUN_AS,
      tags: run.tags,
      workflow_engine: "weft",
      workflow_engine_parameters: Object.fromEntries(
        Object.entries(run.options).map(([name, value]) => [name, String(value)]),
      ),
      workflow_url: run.wes?.workflow_url ?? (run.network ?? run.tool)?.url ?? "",
    },
    run_log: {
      name: run.name,
      cmd: [],
      ...span(run.start_time, run.end_time),
      stdout: links.runPart(run.run_id, "outputs"),
      stderr: `${links.base}/ga4gh/wes/v1/runs/${run.run_id}/stderr`,
      ...(isFinal(run.state) ? { exit_code: run.state === "COMPLETE" ? 0 : 1 } : {}),
      ...(messages.length === 0 ? {} : { system_logs: messages }),
    },
    task_logs_url: `${links.base}/ga4gh/wes/v1/runs/${run.run_id}/tasks`,
    outputs: run.outputs ?? {},
  };
}

/** The reason of the run's state, and the ignored parts of its request. */
function messagesOf({ state_reason: reason, wes }: Run): string[] {
  return [...(reason === null ? [] : [reason.message]), ...(wes?.notes ?? [])];
}

/** The text that a client prints as the standard error of a run. */
export function wesRunErrors(run: Run, failed: readonly ListedJob[]): string {
  const jobs = failed.flatMap(({ job_id: id, state, exit_code: code, state_reason: reason, stderr_tail: tail }) => [
    `job ${id}: ${state}${code === null ? "" : `, exit code ${code}`}${reason === null ? "" : `: ${reason.message}`}`,
    ...(tail === undefined ? [] : [tail.trimEnd()]),
  ]);
  return [`run ${run.run_id} (${run.name}): ${run.state}`, ...messagesOf(run), ...jobs, ""].join("\n");
}

export function presentTask(job: ListedJob | Job, links: Links): WesTaskLog {
  const log = (stream: "stdout" | "stderr") => links.jobLog(job.run_id, job.job_id, stream);
  return {
    id: job.job_id,
    name: job.step === "" ? job.job_id : job.step,
    cmd: job.command?.argv ?? [],
    ...span(job.timing.started_at, job.timing.ended_at),
    ...(job.timing.started_at === null ? {} : { stdout: log("stdout"), stderr: log("stderr") }),
    ...(job.exit_code === null ? {} : { exit_code: job.exit_code }),
    ...(job.state_reason === null ? {} : { system_logs: [job.state_reason.message] }),
  };
}

function span(start: string | null, end: string | null): { start_time?: string; end_time?: string } {
  return {
    ...(start === null ? {} : { start_time: inSeconds(start) }),
    ...(end === null ? {} : { end_time: inSeconds(end) }),
  };
}

/** The time format of WES 1.1: `2026-11-21T02:02:14Z`. */
function inSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}
