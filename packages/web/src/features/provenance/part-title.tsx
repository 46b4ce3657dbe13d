import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { jobPath } from "../../components/run-paths.ts";

export interface PartTitleProps {
  readonly run: Run;
  readonly lineage: RunLineage;
  /** Id of the selected node, "" for none. */
  readonly part: string;
  readonly title: string;
  readonly onClear: () => void;
}

/** The title of the list; for a step also the way to its jobs. */
export function PartTitle({ run, lineage, part, title, onClear }: PartTitleProps) {
  const step = lineage.steps.find((entry) => part === `jobs:${entry.step}`);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="wrap-anywhere">{title}</h2>
      {step?.tool != null && <ToolLink tool={step.tool} />}
      {step !== undefined && (
        <Link
          className="link"
          to={
            step.job_id === null
              ? `/run/${run.run_id}?tab=jobs&step=${encodeURIComponent(step.step)}`
              : jobPath(run.run_id, step.job_id)
          }
        >
          {step.job_id === null ? "Its jobs" : "Its job"}
        </Link>
      )}
      {part !== "" && (
        <button type="button" className="btn btn-small ml-auto" onClick={onClear}>
          Show all outputs
        </button>
      )}
    </div>
  );
}

/** `smooth 1.0.0` leads to that version of the tool. */
function ToolLink({ tool }: { readonly tool: string }) {
  return (
    <Link className="link" to={`/tool/${tool.replace(" ", "/")}`}>
      {tool}
    </Link>
  );
}
