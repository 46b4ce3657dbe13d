import type { AutomationState, HistoryKind, SampleVerdict } from "@weft/shared/records/automation-names.ts";
import type { Automation, AutomationPlan } from "@weft/shared/records/automation-record.ts";
import { countText } from "../../format/count-text.ts";

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

export const VERDICT_LABELS: Readonly<Record<SampleVerdict, string>> = {
  start: "would start",
  settling: "settling",
  started: "started before",
};

export function triggerText({ trigger }: Pick<Automation, "trigger">): string {
  if (trigger.kind === "samples") return "new samples";
  if (trigger.kind === "schedule") return `${trigger.cron} (${trigger.time_zone})`;
  return `runs of ${trigger.network}`;
}

export function planText({ would_start: count, blocked, samples_total: total }: AutomationPlan): string {
  const what = total === 0 ? countText(count, "run") : `${count} of ${countText(total, "sample")}`;
  return `It would start ${what} now${blocked === "" ? "" : `, but ${blocked}`}.`;
}
