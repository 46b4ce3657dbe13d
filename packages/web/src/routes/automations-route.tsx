import { useQuery } from "@tanstack/react-query";
import { AUTOMATION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { Automation, AutomationHistory } from "@weft/shared/records/automation-record.ts";
import { Link } from "react-router-dom";
import { api } from "../api/client.ts";
import { routeQuery, useChange } from "../api/route-query.ts";
import { useRights } from "../api/session-query.ts";
import { PanelList } from "../components/panel-list.tsx";
import { KIND_LABELS, PlanView, STATE_LABELS, triggerText } from "../features/automations/automation-texts.tsx";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatDateTime } from "../format/format-time.ts";
import { RUN_STATE_NAMES, STATE_LOOKS } from "../format/state-look.ts";
import { Button } from "../ui/button.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Refusal } from "../ui/form.tsx";
import { SidePanel } from "../ui/modal.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { DeleteButton } from "../ui/delete-button.tsx";
import { NameLink, TextLink } from "../ui/text-link.tsx";

const COLUMNS: readonly Column<Automation>[] = [
  {
    label: "Automation",
    bare: true,
    render: ({ automation_id: id, name, network }) => (
      <div>
        <NameLink to={`?automation=${id}`}>{name}</NameLink>
        <span className="block text-soft">{network}</span>
      </div>
    ),
  },
  { label: "State", render: (automation) => <State automation={automation} /> },
  { label: "Trigger", className: "wrap-anywhere", render: triggerText },
  { label: "Owner", render: ({ owner }) => owner },
  { label: "Next time", render: ({ next_at: next }) => (next === null ? "–" : formatDateTime(next)) },
  {
    label: "Started",
    render: (automation) =>
      `${countText(automation.runs_started, "run")}, ${countText(automation.samples_started, "sample")}`,
  },
];

/** The plan and the next time depend on files and on the clock, which have no events, so the page polls. */
const REFRESH_MS = 5000;

/** `/automations?automation=`: runs that start by themselves. */
export default function AutomationsRoute() {
  const automations = useQuery({ ...routeQuery("GET /api/automations"), refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeading title="Automations" />
      <QueryView query={automations}>
        {({ automations: all }) => (
          <PanelList
            caption="Automations, newest first"
            columns={COLUMNS}
            rows={all}
            empty="No automations yet. They start runs for new samples, at given times, or after other runs."
            idOf={({ automation_id: id }) => id}
            param="automation"
            renderPanel={(automation, onClose) => (
              <AutomationPanel key={automation.automation_id} automation={automation} onClose={onClose} />
            )}
            action={
              <Link className="btn btn-primary" to="/automations/new">
                New automation…
              </Link>
            }
          />
        )}
      </QueryView>
    </>
  );
}

function State({ automation: { state, reason, last_failure: failure } }: { readonly automation: Automation }) {
  return (
    <div>
      <span className={state === "stopped" ? "font-medium text-failed" : ""}>{STATE_LABELS[state]}</span>
      {(reason || failure) !== "" && <span className="block text-soft wrap-anywhere">{reason || failure}</span>}
    </div>
  );
}

interface AutomationPanelProps {
  readonly automation: Automation;
  readonly onClose: () => void;
}

/** The plan and the history of an automation. */
function AutomationPanel({ automation, onClose }: AutomationPanelProps) {
  const { has } = useRights();
  const { automation_id: id, name, reason } = automation;
  const request = { params: { automation_id: id } };
  const refetchInterval = REFRESH_MS;
  const plan = useQuery({ ...routeQuery("GET /api/automations/{automation_id}/plan", request), refetchInterval });
  const history = useQuery({ ...routeQuery("GET /api/automations/{automation_id}/history", request), refetchInterval });
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
  const params = { automation_id: id };
  const toggle = useChange(AUTOMATION_ROUTES, () =>
    state === "active"
      ? api("POST /api/automations/{automation_id}/pause", { params })
      : api("POST /api/automations/{automation_id}/resume", { params }),
  );
  // The panel closes first, or it would read the deleted automation again.
  const remove = useChange(
    AUTOMATION_ROUTES,
    () => api("DELETE /api/automations/{automation_id}", { params }),
    onRemoved,
  );
  return (
    <div className="flex flex-wrap gap-2">
      <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {state === "active" ? "Pause" : "Resume"}
      </Button>
      <DeleteButton title={`Delete "${name}"?`} noun="automation" remove={remove}>
        It will start no more runs, and its history will be deleted. Its runs will be kept.
      </DeleteButton>
      <Refusal of={toggle.error} className="w-full" />
    </div>
  );
}

/** The state as other pages name it; "" for a run that is gone. */
function stateText(state: string | null): string {
  const name = RUN_STATE_NAMES.find((known) => known === state);
  return name === undefined ? "" : ` · ${STATE_LOOKS[name].word}`;
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
              <TextLink to={`/run/${runId}`}>{name ?? runId}</TextLink>
              <span className="text-soft">
                {" "}
                · {countText(samples, "sample")}
                {stateText(state)}
              </span>
            </div>
          )}
          {detail !== "" && <p className="wrap-anywhere">{detail}</p>}
        </li>
      ))}
    </ul>
  );
}
