import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useIsPast } from "../../components/use-moment.ts";
import { countText } from "../../format/count-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";

const RetryDialog = onDemand(() => import("./retry-dialog.tsx"));

export interface RetryButtonProps {
  readonly run: Run;
  /** Only these. */
  readonly samples?: readonly string[];
}

/** Retries a run with all results that are still valid, after a preview. */
export function RetryButton({ run, samples }: RetryButtonProps) {
  const [asking, setAsking] = useState(false);
  const isPast = useIsPast();
  // Imported runs can be reproduced, not retried.
  if (run.imported !== undefined || isPast) return null;
  return (
    <>
      <button
        type="button"
        className={`btn ${samples === undefined ? "btn-primary" : ""}`}
        onClick={() => setAsking(true)}
      >
        <Icon name="retry" /> {samples === undefined ? "Retry" : `Retry ${samplesText(samples)}`}
      </button>
      {asking && <RetryDialog run={run} samples={samples} onClose={() => setAsking(false)} />}
    </>
  );
}

/** `sub-03`, or the number of samples. */
export function samplesText(samples: readonly string[]): string {
  const [only, second] = samples;
  return only !== undefined && second === undefined ? only : countText(samples.length, "sample");
}
