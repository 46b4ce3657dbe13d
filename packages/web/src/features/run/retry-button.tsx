import type { Run } from "@weft/shared/records/run-record.ts";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../../ui/icon.tsx";

const RetryDialog = lazy(() => import("./retry-dialog.tsx"));

export interface RetryButtonProps {
  readonly run: Run;
  /** Only this one. */
  readonly sample?: string;
  readonly small?: boolean;
}

/** Starts a run once more with all that still holds, after showing what that is. */
export function RetryButton({ run, sample, small = false }: RetryButtonProps) {
  const [asking, setAsking] = useState(false);
  // What was made elsewhere is reproduced, not retried.
  if (run.imported !== undefined) return null;
  return (
    <>
      <button
        type="button"
        className={`btn ${sample === undefined ? "btn-primary" : ""} ${small ? "btn-small max-md:min-h-11" : ""}`}
        {...(sample === undefined ? {} : { "aria-label": `Retry the sample ${sample}` })}
        onClick={() => setAsking(true)}
      >
        <Icon name="cached" className={small ? "size-3.5" : "size-4"} />{" "}
        {sample === undefined || small ? "Retry" : `Retry the sample ${sample}`}
      </button>
      {asking && (
        <Suspense fallback={null}>
          <RetryDialog run={run} sample={sample} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
