import type { Run } from "@weft/shared/records/run-record.ts";
import { lazy, Suspense, useState } from "react";
import { countText } from "../../format/count-text.ts";
import { Icon } from "../../ui/icon.tsx";

const RetryDialog = lazy(() => import("./retry-dialog.tsx"));

export interface RetryButtonProps {
  readonly run: Run;
  /** Only these. */
  readonly samples?: readonly string[];
  readonly small?: boolean;
}

/** Starts a run once more with all that still holds, after showing what that is. */
export function RetryButton({ run, samples, small = false }: RetryButtonProps) {
  const [asking, setAsking] = useState(false);
  // What was made elsewhere is reproduced, not retried.
  if (run.imported !== undefined) return null;
  return (
    <>
      <button
        type="button"
        className={`btn ${samples === undefined ? "btn-primary" : ""} ${small ? "btn-small max-md:min-h-11" : ""}`}
        {...(samples === undefined ? {} : { "aria-label": `Retry ${samplesText(samples)}` })}
        onClick={() => setAsking(true)}
      >
        <Icon name="cached" className={small ? "size-3.5" : "size-4"} />{" "}
        {samples === undefined || small ? "Retry" : `Retry ${samplesText(samples)}`}
      </button>
      {asking && (
        <Suspense fallback={null}>
          <RetryDialog run={run} samples={samples} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** `sub-03`, or how many. */
export function samplesText(samples: readonly string[]): string {
  const [only, second] = samples;
  return only !== undefined && second === undefined ? `the sample ${only}` : countText(samples.length, "sample");
}
