import type { AutomationPlan } from "@weft/shared/records/automation-record.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { planText, VERDICT_LABELS } from "./automation-texts.ts";

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
