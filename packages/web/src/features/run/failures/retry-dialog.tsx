import { useMutation, useQuery } from "@tanstack/react-query";
import type { RetryRun, Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { api } from "../../../api/client.ts";
import { routeQuery } from "../../../api/route-query.ts";
import ConfirmDialog from "../../../ui/confirm-dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { Refusal } from "../../../ui/form.tsx";
import { samplesText } from "./failure-actions.tsx";
import { retryForecast } from "./retry-forecast.ts";

interface RetryDialogProps {
  readonly run: Run;
  /** The samples to retry; undefined for all. */
  readonly samples: readonly string[] | undefined;
  readonly onClose: () => void;
}

const WHOLE_TEXT =
  "Starts a new run with the same inputs. Valid results are reused; failed steps and everything after them run again.";
const SAMPLES_TEXT = "Runs only these samples. Retry the whole run afterwards to combine all samples.";
const NEVER_CACHED = { staleTime: 0, gcTime: 0, retry: false } as const;

/** Shows which jobs a retry would reuse and run, then starts the retry and opens it. */
export default function RetryDialog({ run, samples, onClose }: RetryDialogProps) {
  const [newest, setNewest] = useState(false);
  // One dialog starts at most one run, even if responses are lost.
  const [key] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const body: RetryRun = {
    ...(samples === undefined ? {} : { samples: [...samples] }),
    ...(newest ? { version: "newest" } : {}),
  };
  const request = { params: { run_id: run.run_id }, body };
  const plan = useQuery({ ...routeQuery("POST /api/runs/{run_id}/retry-plan", request), ...NEVER_CACHED });
  const retry = useMutation({
    mutationFn: () => {
      const headers = { "idempotency-key": `${key}${newest ? "-newest" : ""}` };
      return api("POST /api/runs/{run_id}/retry", { ...request, headers });
    },
    onSuccess: (started) => "run_id" in started && navigate(`/run/${started.run_id}`),
  });
  return (
    <ConfirmDialog
      title={samples === undefined ? `Retry ${run.name}?` : `Retry only ${samplesText(samples)}?`}
      confirmLabel={retry.isPending ? "Starting…" : "Start retry"}
      harmless
      pending={retry.isPending}
      onConfirm={() => retry.mutate()}
      onClose={onClose}
    >
      <p>{samples === undefined ? WHOLE_TEXT : SAMPLES_TEXT}</p>
      <p className="mt-2 min-h-6" aria-live="polite">
        {plan.data === undefined ? "" : retryForecast(plan.data)}
      </p>
      {run.relations.newest !== null && (
        <CheckField isLong className="mt-3 text-ink" checked={newest} onCheck={setNewest}>
          Use the catalog's current version{versionText(run)}
        </CheckField>
      )}
      <Refusal of={retry.error ?? plan.error} className="mt-3" />
    </ConfirmDialog>
  );
}

function versionText({ relations }: Run): string {
  const version = relations.newest?.version ?? null;
  return version === null ? "" : ` (version ${version})`;
}
