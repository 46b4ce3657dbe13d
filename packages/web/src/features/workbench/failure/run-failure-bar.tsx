import { Link } from "react-router-dom";
import { sentence } from "../../../format/sentence.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { LocatedProblem } from "../language/document-language.ts";
import type { RunFailure } from "./run-failure.ts";

interface RunFailureBarProps {
  readonly failure: RunFailure;
  /** Where it is in the text; undefined if nothing there can have caused it. */
  readonly located: LocatedProblem | undefined;
  /** Revision of the text that is shown. */
  readonly revision: number;
  readonly onShow: (offset: number) => void;
  readonly onDismiss: () => void;
}

/** Why a run of this draft failed, and the line that caused it. */
export function RunFailureBar({ failure, located, revision, onShow, onDismiss }: RunFailureBarProps) {
  const { runId, runName, jobId, step, message, hint } = failure;
  const job = jobId === undefined ? "" : `?tab=jobs&job=${jobId}`;
  return (
    <section
      aria-label="Failure of a run"
      className="max-h-44 space-y-1 overflow-y-auto border-t border-failed/50 bg-failed-soft px-3 py-2 text-[0.875rem]"
    >
      <p className="wrap-anywhere">
        <Icon name="error" className="mr-1 inline size-3.5 text-failed" />
        <strong>{step === "" ? "The run" : step} failed.</strong> {sentence(message)} {sentence(hint ?? "")}
      </p>
      {located?.elsewhere !== undefined && (
        <p className="wrap-anywhere">
          The cause is in <span className="code">{located.elsewhere}</span>, which this step runs.
        </p>
      )}
      {revision !== failure.revision && <p className="text-soft">The text has changed since that run.</p>}
      <div className="flex flex-wrap items-center gap-2">
        {located !== undefined && (
          <button type="button" className="btn btn-small" onClick={() => onShow(located.from)}>
            Show line {located.line}
          </button>
        )}
        <Link className="btn btn-small" to={`/run/${runId}${job}`}>
          {jobId === undefined ? "View run" : "View job"}
          <span className="sr-only"> of {runName}</span>
        </Link>
        <button type="button" className="btn btn-small btn-quiet" onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    </section>
  );
}
