import type { Scope, Subscription } from "@weft/shared/records/subscription-record.ts";
import type { Channel, DeliveryState, DeliveryTrigger, Trigger } from "@weft/shared/records/subscription-names.ts";

export const TRIGGER_LABELS: Readonly<Record<Trigger, string>> = {
  failure: "a run fails, or Weft pauses it after crashes",
  success: "a run succeeds",
  "review-needed": "samples need review",
  "automation-stopped": "an automation stops",
};

/** Descriptions of the reasons for a message. */
export const REASON_LABELS: Readonly<Record<DeliveryTrigger, string>> = {
  failure: "A run failed",
  paused: "Weft paused a run",
  success: "A run succeeded",
  "review-needed": "Samples need review",
  "automation-stopped": "An automation stopped",
  test: "Test message",
};

export const CHANNEL_LABELS: Readonly<Record<Channel, string>> = { webhook: "Webhook", email: "Email", feed: "Feed" };

export const STATE_LABELS: Readonly<Record<DeliveryState, string>> = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};

/** `network imaging-cohort` */
export function scopeText(scope: Scope): string {
  if ("run_id" in scope) return `run ${scope.run_id}`;
  return "network" in scope ? `network ${scope.network}` : `runs of ${scope.owner}`;
}

export function triggersText({ triggers }: Pick<Subscription, "triggers">): string {
  return triggers.map((trigger) => TRIGGER_LABELS[trigger]).join("; ");
}
