import { JOB_STATE_ORDER, STATE_LOOKS, countIn } from "../../format/state-look.ts";
import { describeCounts } from "../../ui/job-progress-bar.tsx";
import { StateIcon, TONES } from "../../ui/state-badge.tsx";
import type { StepProgress } from "./step-progress.ts";

/**
 * The state of a step as icon and word, in a ring with an arc for each state that has jobs. It precedes the name
 * visually, and follows it for screen readers.
 */
export function ProgressRing({ progress }: { readonly progress: StepProgress }) {
  const { state, counts, total } = progress;
  const look = STATE_LOOKS[state];
  return (
    <span className={`relative order-first flex size-8 shrink-0 items-center justify-center ${TONES[look.tone].text}`}>
      <svg
        viewBox="0 0 32 32"
        role="img"
        aria-label={describeCounts(counts, total)}
        className="absolute inset-0 -rotate-90"
      >
        <circle cx="16" cy="16" r="14" pathLength="100" fill="none" strokeWidth="3" className="stroke-line" />
        {arcsOf(progress).map(({ state: part, from, length }) => (
          <circle
            key={part}
            cx="16"
            cy="16"
            r="14"
            pathLength="100"
            fill="none"
            strokeWidth="3"
            stroke="currentColor"
            strokeDasharray={`${length} ${100 - length}`}
            strokeDashoffset={-from}
            className={`${TONES[STATE_LOOKS[part].tone].text} transition-[stroke-dasharray] duration-300`}
          />
        ))}
      </svg>
      <StateIcon state={state} className="size-4" />
      <span className="sr-only">{look.word}</span>
    </span>
  );
}

/** Waiting jobs are the empty part of the ring. */
function arcsOf({ counts, total }: StepProgress) {
  const known = countIn(counts, JOB_STATE_ORDER);
  const whole = Math.max(total, known, 1);
  let from = 0;
  return JOB_STATE_ORDER.filter((state) => state !== "QUEUED" && (counts[state] ?? 0) > 0).map((state) => {
    const arc = { state, from, length: ((counts[state] ?? 0) / whole) * 100 };
    from += arc.length;
    return arc;
  });
}
