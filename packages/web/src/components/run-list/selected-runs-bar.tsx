import { useMutation } from "@tanstack/react-query";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { abortRun } from "../../api/start-run.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast.tsx";
import { abortedText } from "./aborted-text.ts";
import { DescribeSelected } from "./describe-selected.tsx";
import { comparisonPath, MAX_COMPARED_RUNS } from "../run-paths.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { countText } from "../../format/count-text.ts";

const ConfirmDialog = onDemand(() => import("../../ui/confirm-dialog.tsx"));

export interface SelectedRunsBarProps {
  readonly selected: readonly RunSummary[];
  readonly onClear: () => void;
}

/** Actions for the selected runs: abort open ones, compare two to four, pin, tag and archive. */
export function SelectedRunsBar({ selected, onClear }: SelectedRunsBarProps) {
  const [asking, setAsking] = useState(false);
  const open = selected.filter(({ state }) => !STATE_LOOKS[state].final && state !== "CANCELING");
  const abort = useMutation({
    mutationFn: () => abortRuns(open),
    onSuccess: (message) => {
      showToast(message);
      setAsking(false);
      onClear();
    },
  });
  return (
    <div
      role="region"
      aria-label="Selected runs"
      className="popup sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-2 px-4 py-2"
    >
      <span className="font-medium">{countText(selected.length, "run")} selected</span>
      <span className="ml-auto flex flex-wrap gap-2">
        <CompareLink selected={selected} />
        <DescribeSelected selected={selected} onDone={onClear} />
        {open.length > 0 && <AbortRuns count={open.length} isOff={abort.isPending} onPress={() => setAsking(true)} />}
        <button type="button" className="btn btn-quiet" onClick={onClear}>
          Clear
        </button>
      </span>
      {asking && (
        <AbortDialog
          open={open}
          pending={abort.isPending}
          onConfirm={() => abort.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface AbortRunsProps {
  readonly count: number;
  readonly isOff: boolean;
  readonly onPress: () => void;
}

function AbortRuns({ count, isOff, onPress }: AbortRunsProps) {
  return (
    <button type="button" className="btn btn-danger" disabled={isOff} onClick={onPress}>
      <Icon name="stop" className="size-3.5" /> Abort {countText(count, "run")}
    </button>
  );
}

/** Resolves with the text to show. */
async function abortRuns(open: readonly RunSummary[]): Promise<string> {
  return abortedText(await Promise.allSettled(open.map(({ run_id }) => abortRun(run_id))));
}

interface AbortDialogProps {
  readonly open: readonly RunSummary[];
  readonly pending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function AbortDialog({ open, pending, onConfirm, onClose }: AbortDialogProps) {
  return (
    <ConfirmDialog
      title={`Abort ${countText(open.length, "run")}?`}
      confirmLabel={pending ? "Aborting…" : `Abort ${countText(open.length, "run")}`}
      keepLabel="Go back"
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Running jobs will be stopped. Finished results are kept.</p>
      <ul className="mt-2 max-h-40 list-disc overflow-auto pl-5">
        {open.map((run) => (
          <li key={run.run_id}>{run.name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

/** The list shows the newest run first; the oldest is the base of the comparison. */
function CompareLink({ selected }: Pick<SelectedRunsBarProps, "selected">) {
  if (selected.length < 2) return null;
  if (selected.length > MAX_COMPARED_RUNS)
    return <span className="self-center text-soft">You can compare at most {MAX_COMPARED_RUNS} runs</span>;
  return (
    <Link className="btn" to={comparisonPath(selected.map(({ run_id }) => run_id).toReversed())}>
      Compare
    </Link>
  );
}
