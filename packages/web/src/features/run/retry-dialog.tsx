import { useMutation, useQuery } from "@tanstack/react-query";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { RetryRun, Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { retryPlanQuery } from "../../api/retry-plan-query.ts";
import { retryRun } from "../../api/start-run.ts";
import ConfirmDialog from "../../ui/confirm-dialog.tsx";
import { samplesText } from "./retry-button.tsx";
import { retryForecast } from "./retry-forecast.ts";

export interface RetryDialogProps {
  readonly run: Run;
  /** Undefined: all of them. */
  readonly samples: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Tells what a retry would take over and run, then starts it and goes there. */
export default function RetryDialog({ run, samples, onClose }: RetryDialogProps) {
  const [newest, setNewest] = useState(false);
  // One dialog starts one run, however often its answer is lost.
  const [key] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const body: RetryRun = {
    ...(samples === undefined ? {} : { samples: [...samples] }),
    ...(newest ? { version: "newest" } : {}),
  };
  const plan = useQuery(retryPlanQuery(run.run_id, body));
  const retry = useMutation({
    mutationFn: () => retryRun(run.run_id, body, `${key}${newest ? "-newest" : ""}`),
    onSuccess: ({ run_id }) => navigate(`/run/${run_id}`),
  });
  return (
    <ConfirmDialog
      title={samples === undefined ? `Retry ${run.name}?` : `Retry only ${samplesText(samples)}?`}
      confirmLabel={retry.isPending ? "Starting…" : "Start the retry"}
      keepLabel="Not now"
      harmless
      pending={retry.isPending}
      onConfirm={() => retry.mutate()}
      onClose={onClose}
    >
      <p>
        {samples === undefined
          ? "A new run of the same document with the same inputs. It reuses results that are still valid, and runs what failed and what depends on it."
          : "A new run of these samples only; its outputs cover no others. Retry the whole run to get the outputs of all samples; it reuses what is still valid."}
      </p>
      <Forecast plan={plan.data} />
      {run.relations.newest !== null && (
        <label className="mt-3 flex items-start gap-2 text-ink">
          <input type="checkbox" checked={newest} onChange={(event) => setNewest(event.target.checked)} />
          <span>By the document that the catalog has now{versionText(run)}, not the one of this run.</span>
        </label>
      )}
      <Failure error={retry.error ?? plan.error} />
    </ConfirmDialog>
  );
}

function versionText({ relations }: Run): string {
  const version = relations.newest?.version ?? null;
  return version === null ? "" : ` (version ${version})`;
}

function Forecast({ plan }: { readonly plan: Plan | undefined }) {
  return (
    <p className="mt-2 min-h-6" aria-live="polite">
      {plan === undefined ? "" : retryForecast(plan)}
    </p>
  );
}

function Failure({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="mt-3 text-failed wrap-anywhere">
      {error.message}
    </p>
  );
}
