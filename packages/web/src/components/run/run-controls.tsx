import { useMutation } from "@tanstack/react-query";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useRights } from "../../api/session-query.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { showError, showToast } from "../../ui/toast.tsx";

const ConfirmDialog = onDemand(() => import("../../ui/confirm-dialog.tsx"));

interface AbortButtonProps {
  readonly run: Pick<RunSummary, "run_id" | "name" | "state" | "owner">;
  readonly small?: boolean;
}

/** Aborts a run after confirmation, if the caller may; the run's own events then show the progress. */
export function AbortButton({ run, small = false }: AbortButtonProps) {
  const [asking, setAsking] = useState(false);
  const isAllowed = useRights().mayAbort(run);
  const abort = useMutation({
    mutationFn: () => api("DELETE /api/runs/{run_id}", { params: { run_id: run.run_id } }),
    onSuccess: () => showToast(`Aborting ${run.name}`),
    onError: (error) => showError(`${run.name} could not be aborted: ${error.message}`),
    onSettled: () => setAsking(false),
  });
  const isAborting = run.state === "CANCELING" || abort.isPending;
  // A list has many of these buttons, so a key would be ambiguous.
  useShortcuts({ abort: small || isAborting || !isAllowed ? undefined : () => setAsking(true) });
  if (!isAllowed) return null;
  const word = isAborting ? "Aborting…" : "Abort";
  return (
    <>
      <Button
        look="danger"
        small={small}
        disabled={isAborting}
        aria-label={`${word} ${run.name}`}
        onClick={() => setAsking(true)}
      >
        <Icon name="stop" className="size-3.5" /> {word}
      </Button>
      {asking && (
        <AbortDialog
          runs={[run]}
          pending={abort.isPending}
          onConfirm={() => abort.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface AbortDialogProps {
  readonly runs: readonly Pick<RunSummary, "run_id" | "name">[];
  readonly pending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before one run or several are aborted. */
export function AbortDialog({ runs, pending, onConfirm, onClose }: AbortDialogProps) {
  const [first, ...others] = runs;
  const count = countText(runs.length, "run");
  const isOne = others.length === 0;
  return (
    <ConfirmDialog
      title={`Abort ${isOne ? first?.name : count}?`}
      confirmLabel={pending ? "Aborting…" : `Abort ${isOne ? "the run" : count}`}
      keepLabel="Go back"
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Running jobs will be stopped. Finished results are kept.</p>
      {!isOne && (
        <ul className="mt-2 max-h-40 list-disc overflow-auto pl-5">
          {runs.map((run) => (
            <li key={run.run_id}>{run.name}</li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

type PausedRun = Pick<RunSummary, "run_id" | "name" | "state">;

/** Pauses or resumes a run; the run's own events then show its state. */
export function usePause(run: PausedRun) {
  const isPaused = run.state === "PAUSED";
  const change = useMutation({
    mutationFn: () => {
      const params = { run_id: run.run_id };
      return isPaused
        ? api("POST /api/runs/{run_id}/resume", { params })
        : api("POST /api/runs/{run_id}/pause", { params });
    },
    onSuccess: () => showToast(isPaused ? `${run.name} resumed` : `${run.name} paused. Running jobs will finish.`),
    onError: (error) => showError(`${run.name} could not be ${isPaused ? "resumed" : "paused"}: ${error.message}`),
  });
  return { isPaused, isOff: run.state === "CANCELING" || change.isPending, press: () => change.mutate() };
}

export function PauseButton({ run }: { readonly run: PausedRun }) {
  const { isPaused, isOff, press } = usePause(run);
  useShortcuts({ pause: isOff ? undefined : press });
  return (
    <Button className="max-md:hidden" disabled={isOff} onClick={press}>
      <Icon name={isPaused ? "play" : "pause"} className="size-3.5" /> {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}
