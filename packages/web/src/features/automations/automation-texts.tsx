import type { AutomationState, HistoryKind, SampleVerdict } from "@weft/shared/records/automation-names.ts";
import type { Automation, AutomationPlan } from "@weft/shared/records/automation-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatDateTime } from "../../format/format-time.ts";

export const STATE_LABELS: Readonly<Record<AutomationState, string>> = {
  active: "Active",
  paused: "Paused",
  stopped: "Stopped",
};

export const KIND_LABELS: Readonly<Record<HistoryKind, string>> = {
  created: "Created",
  started: "Started",
  failed: "Could not start a run",
  paused: "Paused",
  active: "Resumed",
  stopped: "Stopped",
};

const VERDICT_LABELS: Readonly<Record<SampleVerdict, string>> = {
  start: "would start",
  settling: "settling",
  started: "started before",
};

/** The plan of an automation: a sentence, then the samples. */
export function PlanView({ plan }: { readonly plan: AutomationPlan }) {
  return (
    <div role="status" className="space-y-2">
      <p>
        {planText(plan)}
        {plan.next_at !== null && ` Next time: ${formatDateTime(plan.next_at)}.`}
      </p>
      {plan.samples.length > 0 && (
        <ul aria-label="Samples" className="card max-h-60 overflow-auto px-3 py-2" tabIndex={0}>
          {plan.samples.map(({ name, verdict, detail }) => (
            <li key={name} className="flex flex-wrap justify-between gap-x-3">
              <span className="wrap-anywhere">{name}</span>
              <span className={verdict === "start" ? "font-medium" : "text-soft"} title={detail}>
                {VERDICT_LABELS[verdict]}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function triggerText({ trigger }: Pick<Automation, "trigger">): string {
  if (trigger.kind === "samples") return "new samples";
  if (trigger.kind === "schedule") return `${trigger.cron} (${trigger.time_zone})`;
  return `runs of ${trigger.network}`;
}

function planText({ would_start: count, blocked, samples_total: total }: AutomationPlan): string {
  if (count === 0 && blocked !== "") return `It would start nothing now: ${blocked}.`;
  const what = total === 0 ? countText(count, "run") : `${count} of ${countText(total, "sample")}`;
  return `It would start ${what} now${blocked === "" ? "" : `, but ${blocked}`}.`;
}
