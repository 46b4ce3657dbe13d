import { useMutation } from "@tanstack/react-query";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { pauseRun, resumeRun } from "../api/start-run.ts";
import { Icon } from "../ui/icon.tsx";
import { useShortcuts } from "../ui/keyboard/use-shortcuts.ts";
import { showError, showToast } from "../ui/toast.tsx";

type PausedRun = Pick<RunSummary, "run_id" | "name" | "state">;

/** Pauses or resumes a run; the run's own events then show its state. */
export function usePause(run: PausedRun) {
  const isPaused = run.state === "PAUSED";
  const change = useMutation({
    mutationFn: () => (isPaused ? resumeRun(run.run_id) : pauseRun(run.run_id)),
    onSuccess: () => showToast(isPaused ? `${run.name} resumed` : `${run.name} paused. Running jobs will finish.`),
    onError: (error) => showError(`${run.name} could not be ${isPaused ? "resumed" : "paused"}: ${error.message}`),
  });
  return { isPaused, isOff: run.state === "CANCELING" || change.isPending, press: () => change.mutate() };
}

export function PauseButton({ run }: { readonly run: PausedRun }) {
  const { isPaused, isOff, press } = usePause(run);
  useShortcuts({ pause: isOff ? undefined : press });
  return (
    <button type="button" className="btn max-md:hidden" disabled={isOff} onClick={press}>
      <Icon name={isPaused ? "play" : "pause"} className="size-3.5" /> {isPaused ? "Resume" : "Pause"}
    </button>
  );
}
