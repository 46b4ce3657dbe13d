import type { EventOf, WeftEvent } from "@weft/shared/events/event.ts";
import type { JobRow } from "@weft/engine/journal/rows.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { KILL_EVIDENCE_TEXT } from "@weft/shared/text/kill-evidence-text.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";

type FailedJob = () => JobRow | undefined;

/** `quiet`: only failures, with the last lines of their standard error. `debug`: also the command line of each job. */
export type Detail = "quiet" | "normal" | "debug";

/** Writes one line for each job that starts or ends. */
export function createProgressLog(
  write: (line: string) => void,
  detail: Detail,
): (events: readonly WeftEvent[], view: { readonly failedJob: FailedJob }) => void {
  /** The machines of prepared jobs that wait for their turn. */
  const ready = new Map<string, string>();
  return (events, view) => {
    for (const event of events) {
      if (event.type === "run.ended" && event.data.state !== "COMPLETE") writeEnd(event, view.failedJob, write);
      for (const line of detail === "quiet" ? [] : linesOf(event, ready))
        write(`[${event.time.slice(11, 23)}] ${line}`);
      if (detail === "debug" && event.type === "job.started" && event.data.command !== null)
        write(`  ${event.job_id}: ${shellLine(event.data.command)}`);
    }
  };
}

function linesOf(event: WeftEvent, ready: Map<string, string>): readonly string[] {
  const job = `${event.job_id}${event.sample_id === undefined ? "" : ` (${event.sample_id})`}`;
  switch (event.type) {
    case "job.image":
      return [`${job} waits for the container image ${event.data.image} (${event.data.engine})`];
    case "run.fetching":
      return [event.data.reason.message];
    case "job.fetching":
      return [`${event.job_id}: ${event.data.reason.message}`];
    case "job.started":
      if (event.data.ahead !== true) return [`${job} started${placeText(event)}`];
      ready.set(event.job_id, placeText(event));
      return [];
    case "job.running":
      return startOfReady(event.job_id, ready).map((place) => `${job} started${place}`);
    case "job.retrying":
    case "job.ended": {
      const places = startOfReady(event.job_id, ready);
      const started = event.data.ran_ms === undefined ? [] : places.map((place) => `${job} started${place}`);
      const end = event.type === "job.ended" ? stateText(event.data.state) : event.data.waiting.message;
      return [...started, `${job} ${end}`];
    }
    case "run.ended":
      return [`run ${stateText(event.data.state)}`];
    default:
      return [];
  }
}

/** The machine of a prepared job that starts; empty for any other job. */
function startOfReady(jobId: string, ready: Map<string, string>): readonly string[] {
  const place = ready.get(jobId);
  ready.delete(jobId);
  return place === undefined ? [] : [place];
}

function stateText(state: string): string {
  return state.toLowerCase().replaceAll("_", " ");
}

/** The container of a job; empty for a job that runs with the programs of this machine. */
function placeText({ data: { container } }: EventOf<"job.started">): string {
  return container === undefined || container.engine === "none" ? "" : ` in ${container.engine} (${container.image})`;
}

/** A line about the end of an aborted or failed run. */
function writeEnd({ data }: EventOf<"run.ended">, failedJob: FailedJob, write: (line: string) => void): void {
  // A run that fails ends its other jobs, if there are any.
  const isAborted = data.state === "CANCELED" || (data.kill?.processes_found ?? 0) > 0;
  if (data.kill !== undefined && isAborted) write(`weft: ${abortText(data.kill)}`);
  if (data.state !== "CANCELED") writeFailure(failedJob(), write);
}

/** Summary of an abort: the stopped processes, and the evidence that all processes have ended. */
function abortText(kill: RecordedKill): string {
  const killed = kill.processes_killed === 0 ? "" : `, ${kill.processes_killed} of them killed`;
  const stopped = `aborted: ${kill.processes_found} ${kill.processes_found === 1 ? "process" : "processes"} stopped${killed}`;
  if (kill.confirmed_ms === null) return `${stopped}; not yet verified that all have stopped`;
  const why = kill.evidence.map((kind) => KILL_EVIDENCE_TEXT[kind]).join(", ");
  return `${stopped}; verified after ${formatDuration(kill.confirmed_ms - kill.asked_ms)}${why === "" ? "" : `: ${why}`}`;
}

function writeFailure(job: JobRow | undefined, write: (line: string) => void): void {
  if (job === undefined) return;
  if (job.command !== null) write(`weft: the command was: ${shellLine({ argv: job.command.argv })}`);
  if (job.stderrTail !== null) write(job.stderrTail.replace(/^/gm, "  | "));
}
