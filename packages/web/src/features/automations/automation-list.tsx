import { useQuery } from "@tanstack/react-query";
import type { Automation } from "@weft/shared/records/automation-record.ts";
import { Link } from "react-router-dom";
import { automationsQuery } from "../../api/automation-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { countText } from "../../format/count-text.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { AutomationPanel } from "./automation-panel.tsx";
import { STATE_LABELS, triggerText } from "./automation-texts.ts";

const NewAutomation = onDemand(() => import("./new-automation.tsx"), null);

const COLUMNS: readonly Column[] = [
  { label: "Automation" },
  { label: "State" },
  { label: "Trigger" },
  { label: "Owner" },
  { label: "Next time" },
  { label: "Started" },
];

/** `?automation=` shows one with its history; `?new=1` opens the form. */
export function AutomationList() {
  const { has } = useRights();
  const automations = useQuery(automationsQuery());
  const [isNew, setIsNew] = useSearchParam("new");
  const [selected, setSelected] = useSearchParam("automation");
  return (
    <QueryView query={automations}>
      {({ automations: all }) => (
        <>
          {has("runner") && (
            <div className="mb-3 flex justify-end">
              <button type="button" className="btn btn-primary" onClick={() => setIsNew("1")}>
                New automation…
              </button>
            </div>
          )}
          <AutomationTable all={all} />
          {isNew !== "" && <NewAutomation onClose={() => setIsNew("")} />}
          {all
            .filter(({ automation_id: id }) => id === selected)
            .map((automation) => (
              <AutomationPanel key={selected} automation={automation} onClose={() => setSelected("")} />
            ))}
        </>
      )}
    </QueryView>
  );
}

function AutomationTable({ all }: { readonly all: readonly Automation[] }) {
  if (all.length === 0)
    return (
      <EmptyState text="No automations yet. They start runs for new samples, at given times, or after other runs." />
    );
  return (
    <DataTable caption="Automations, newest first" columns={COLUMNS}>
      {all.map((automation) => (
        <AutomationRow key={automation.automation_id} automation={automation} />
      ))}
    </DataTable>
  );
}

function AutomationRow({ automation }: { readonly automation: Automation }) {
  const { automation_id: id, name, network, state, reason, last_failure: failure, owner, next_at: next } = automation;
  return (
    <tr>
      <td>
        <div>
          <Link className="link font-medium wrap-anywhere" to={`?automation=${id}`}>
            {name}
          </Link>
          <span className="block text-soft">{network}</span>
        </div>
      </td>
      <td data-label="State">
        <div>
          <span className={state === "stopped" ? "font-medium text-failed" : ""}>{STATE_LABELS[state]}</span>
          {(reason || failure) !== "" && <span className="block text-soft wrap-anywhere">{reason || failure}</span>}
        </div>
      </td>
      <td data-label="Trigger" className="wrap-anywhere">
        {triggerText(automation)}
      </td>
      <td data-label="Owner">{owner}</td>
      <td data-label="Next time">{next === null ? "–" : formatDateTime(next)}</td>
      <td data-label="Started">
        {countText(automation.runs_started, "run")}, {countText(automation.samples_started, "sample")}
      </td>
    </tr>
  );
}
