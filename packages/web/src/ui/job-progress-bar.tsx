import type { JobCounts } from "@weft/shared/records/state.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { JOB_STATE_ORDER, STATE_LOOKS, countIn } from "../format/state-look.ts";
import { TONES } from "./state-badge.tsx";

interface JobProgressBarProps {
  readonly counts: JobCounts;
  /** The expected number of jobs; the bar is empty for jobs that do not exist yet. */
  readonly total: number;
  readonly className?: string;
}

/** A bar with a segment for each state that has jobs. Segments are clipped, not laid out, so that progress moves nothing. */
export function JobProgressBar({ counts, total, className = "h-2" }: JobProgressBarProps) {
  const known = countIn(counts, JOB_STATE_ORDER);
  const percent = 100 / Math.max(total, known, 1);
  const states = JOB_STATE_ORDER.filter((state) => (counts[state] ?? 0) > 0);
  return (
    <div
      role="img"
      aria-label={describeCounts(counts, total)}
      className={`${className} w-full overflow-hidden rounded-full bg-sunken`}
    >
      {/* The bar itself may be placed absolutely. */}
      <div className="relative size-full">
        {states.map((state, place) => {
          const start = states.slice(0, place).reduce((sum, before) => sum + (counts[before] ?? 0), 0) * percent;
          const end = start + (counts[state] ?? 0) * percent;
          const clipPath = `inset(0 ${100 - end}% 0 ${start === 0 ? "0%" : `calc(${start}% + 1px)`})`;
          return (
            <span
              key={state}
              className={`${TONES[STATE_LOOKS[state].tone].fill} absolute inset-0 transition-[clip-path] duration-300`}
              style={{ clipPath }}
            />
          );
        })}
      </div>
    </div>
  );
}

/** "3 succeeded, 1 running of 6 jobs" */
export function describeCounts(counts: JobCounts, total: number): string {
  const parts = JOB_STATE_ORDER.filter((state) => (counts[state] ?? 0) > 0).map(
    (state) => `${numberText(counts[state] ?? 0)} ${STATE_LOOKS[state].word.toLowerCase()}`,
  );
  return parts.length === 0
    ? `none of ${countText(total, "job")} has started`
    : `${parts.join(", ")} of ${countText(total, "job")}`;
}
