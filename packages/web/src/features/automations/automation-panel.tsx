import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Automation, AutomationHistory } from "@weft/shared/records/automation-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import {
  automationHistoryQuery,
  automationKeys,
  automationPlanQuery,
  deleteAutomation,
  setAutomationActive,
} from "../../api/automation-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { countText } from "../../format/count-text.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { KIND_LABELS } from "./automation-texts.ts";
import { PlanView } from "./plan-view.tsx";

const ConfirmDialog = onDemand(() => import("../../ui/confirm-dialog.tsx"), null);

interface AutomationPanelProps {
  readonly automation: Automation;
  readonly onClose: () => void;
}

/** The plan and the history of an automation. */
export function AutomationPanel({ automation, onClose }: AutomationPanelProps) {
  const { has } = useRights();
  const { automation_id: id, name, reason } = automation;
  const plan = useQuery(automationPlanQuery(id));
  const history = useQuery(automationHistoryQuery(id));
  return (
    <SidePanel title={name} onClose={onClose}>
      <div className="space-y-5">
        {reason !== "" && <p className="wrap-anywhere">Not active: {reason}.</p>}
        {has("runner") && <Actions automation={automation} onRemoved={onClose} />}
        <TitledSection title="What it would do now">
          <QueryView query={plan} rows={2}>
            {(data) => <PlanView plan={data} />}
          </QueryView>
        </TitledSection>
        <TitledSection title="History">
          <QueryView query={history}>{(data) => <History entries={data.history} />}</QueryView>
        </TitledSection>
      </div>
    </SidePanel>
  );
}

function Actions({ automation, onRemoved }: { readonly automation: Automation; readonly onRemoved: () => void }) {
  const { automation_id: id, name, state } = automation;
  const [isAsking, setIsAsking] = useState(false);
  const toggle = useChange(() => setAutomationActive(id, state !== "active"));
  const remove = useChange(() => deleteAutomation(id), onRemoved);
  const failure = toggle.error ?? remove.error;
  return (
    <div className="flex flex-wrap gap-2">
      <button type="button" className="btn" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {state === "active" ? "Pause" : "Resume"}
      </button>
      <button type="button" className="btn" onClick={() => setIsAsking(true)}>
        Delete…
      </button>
      {failure !== null && (
        <p role="alert" className="w-full text-failed wrap-anywhere">
          {failure.message}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          confirmLabel="Delete automation"
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>It will start no more runs, and its history will be deleted. Its runs will be kept.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function useChange(change: () => Promise<unknown>, onDone?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      // First, for the panel of a deleted automation would read it again.
      onDone?.();
      await cache.invalidateQueries({ queryKey: automationKeys.all });
    },
  });
}

function History({ entries }: { readonly entries: AutomationHistory["history"] }) {
  return (
    <ul aria-label="History, newest first" className="space-y-2">
      {entries.map(({ at, kind, run_id: runId, run_name: name, run_state: state, samples, detail, actor }) => (
        <li key={`${at} ${kind} ${runId}`} className="card px-3 py-2">
          <b className={kind === "failed" || kind === "stopped" ? "text-failed" : ""}>{KIND_LABELS[kind]}</b>
          <span className="text-soft">
            {" "}
            · {formatDateTime(at)} · {actor}
          </span>
          {runId !== null && (
            <div className="wrap-anywhere">
              <Link className="link" to={`/run/${runId}`}>
                {name ?? runId}
              </Link>
              <span className="text-soft">
                {" "}
                · {countText(samples, "sample")} · {state}
              </span>
            </div>
          )}
          {detail !== "" && <p className="wrap-anywhere">{detail}</p>}
        </li>
      ))}
    </ul>
  );
}
