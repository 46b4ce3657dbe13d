import type { JobTimes } from "../../../api/all-jobs.ts";
import { countText } from "../../../format/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { PathJob } from "./find-critical-path.ts";

const SHOWN = 30;

export interface CriticalPathProps {
  readonly path: readonly PathJob[];
  readonly whyWaited: (job: JobTimes) => string | undefined;
  readonly onOpen: (jobId: string) => void;
}

/** The jobs that determined the duration of the run, as text: what to speed up first, and what they waited for. */
export function CriticalPath({ path, whyWaited, onOpen }: CriticalPathProps) {
  const [ran, waited] = [sumOf(path.map(({ ranMs }) => ranMs)), sumOf(path.map(({ waitedMs }) => waitedMs))];
  return (
    <section aria-labelledby="critical-path" className="card p-4">
      <h2 id="critical-path">Critical path</h2>
      <p className="mt-1 max-w-prose text-soft">
        {countText(path.length, "job")} determined how long the run took: each was queued when the previous one
        finished. They ran for {formatDuration(ran)} and waited for {formatDuration(waited)}. The chart outlines them.
      </p>
      <ol className="mt-2 divide-y divide-line">
        {path.slice(0, SHOWN).map(({ job, waitedMs, ranMs }) => (
          <li key={job.id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
            <button
              type="button"
              className="link font-medium max-md:min-h-9"
              aria-haspopup="dialog"
              onClick={() => onOpen(job.id)}
            >
              {job.id}
            </button>
            {job.sample !== null && <span>{job.sample}</span>}
            <span className="text-soft tabular-nums">
              waited {formatDuration(waitedMs)} {waitText(job, waitedMs, whyWaited(job))}
            </span>
            <span className="ml-auto tabular-nums">ran {formatDuration(ranMs)}</span>
          </li>
        ))}
      </ol>
      {path.length > SHOWN && <p className="mt-2 text-soft">And {countText(path.length - SHOWN, "more job")}.</p>}
    </section>
  );
}

/** Most of the wait may precede the queueing of the job: until then another part of the run delayed it. */
function waitText({ queuedMs, startedMs }: JobTimes, waitedMs: number, why: string | undefined): string {
  const inQueueMs = (startedMs ?? queuedMs) - queuedMs;
  if (waitedMs > 1000 && inQueueMs < waitedMs / 2) return "before it was queued";
  return why ?? "";
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
