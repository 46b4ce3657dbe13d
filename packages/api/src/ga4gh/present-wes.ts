import type { Links } from "@weft/shared/links.ts";
import type { WesServiceInfo } from "@weft/shared/records/ga4gh-record.ts";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run, RunSummary } from "@weft/shared/records/run-record.ts";
import { RUN_STATES } from "@weft/shared/records/state-names.ts";
import type { WesRunLog, WesRunSummary, WesTaskLog } from "@weft/shared/records/wes-record.ts";
import { serviceOf } from "./service.ts";

/** Documents of older versions are brought to this one before they run. */
const RUN_AS = "v1.2";

/** This server in the words of WES 1.1. */
export function presentWesService(info: ServerInfo, links: Links): WesServiceInfo {
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
    system_state_counts: Object.fromEntries(counts),
    auth_instructions_url: `${links.base}/doc`,
    tags: {},
  };
}

export function presentWesSummary(run: RunSummary): WesRunSummary {
  return { run_id: run.run_id, state: run.state, ...span(run.start_time, run.end_time), tags: run.tags };
}

export function presentWesRun(run: Run, links: Links): WesRunLog {
  return {
    run_id: run.run_id,
    state: run.state,
    request: {
      workflow_params: run.inputs ?? {},
      workflow_type: "CWL",
      workflow_type_version: RUN_AS,
      tags: run.tags,
      workflow_engine: "weft",
      workflow_engine_parameters: Object.fromEntries(
        Object.entries(run.options).map(([name, value]) => [name, String(value)]),
      ),
      workflow_url: (run.network ?? run.tool)?.url ?? "",
    },
    run_log: {
      name: run.name,
      cmd: [],
      ...span(run.start_time, run.end_time),
      ...(run.state_reason === null ? {} : { system_logs: [run.state_reason.message] }),
    },
    task_logs_url: `${links.base}/ga4gh/wes/v1/runs/${run.run_id}/tasks`,
    outputs: run.outputs ?? {},
  };
}

/** A job of a list has no command line; one by itself has. */
export function presentTask(job: JobSummary | Job, links: Links): WesTaskLog {
  const command = "command" in job ? job.command : undefined;
  const log = (stream: "stdout" | "stderr") => links.jobLog(job.run_id, job.job_id, stream);
  return {
    id: job.job_id,
    name: job.step === "" ? job.job_id : job.step,
    cmd: command?.argv ?? [],
    ...span(job.timing.started_at, job.timing.ended_at),
    ...(job.timing.started_at === null ? {} : { stdout: log("stdout"), stderr: log("stderr") }),
    ...(job.exit_code === null ? {} : { exit_code: job.exit_code }),
    ...(job.state_reason === null ? {} : { system_logs: [job.state_reason.message] }),
  };
}

function span(start: string | null, end: string | null): { start_time?: string; end_time?: string } {
  return { ...(start === null ? {} : { start_time: start }), ...(end === null ? {} : { end_time: end }) };
}
