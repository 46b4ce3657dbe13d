import type { Delivery, Scope, Subscription } from "@weft/shared/records/subscription-record.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { DeliveryRow, SubscriptionRow } from "../journal/read-notifications.ts";
import type { SubscriptionFiles, SubscriptionSecret } from "../notify/subscription-files.ts";
import { nullableTime, timeText } from "../present/present-time.ts";

interface Sources {
  readonly journal: Pick<Journal, "read">;
  readonly files: SubscriptionFiles;
}

export function presentSubscription(row: SubscriptionRow, { journal, files }: Sources): Subscription {
  const { subscriptionId, name, owner, channel, triggers, createdMs } = row;
  const { read } = journal;
  const last = read.lastAttemptedDelivery(subscriptionId);
  return {
    ...{ subscription_id: subscriptionId, name, owner, channel },
    target: shownTarget(files.read(subscriptionId)),
    scope: scopeOf(row),
    triggers: [...triggers],
    created_at: timeText(createdMs),
    pending: read.pendingDeliveries(subscriptionId),
    last_delivery:
      last?.attemptedMs == null ? null : { state: last.state, at: timeText(last.attemptedMs), error: last.error },
  };
}

/** Paths and queries of webhooks are often secrets. */
function shownTarget(content: SubscriptionSecret | undefined): string {
  if (content === undefined) return "";
  if (content.channel === "email") return content.email;
  if (content.channel === "feed") return "an address with a token";
  const { origin, pathname, search } = new URL(content.url);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

function scopeOf({ scope, subject }: SubscriptionRow): Scope {
  if (scope === "run") return { run_id: subject };
  return scope === "network" ? { network: subject } : { owner: subject };
}

export function presentDelivery(row: DeliveryRow, read: LogReader): Delivery {
  const { deliveryId, trigger, runId, state, attempts, createdMs, nextMs, endedMs, status, error } = row;
  return {
    delivery_id: deliveryId,
    trigger,
    run_id: runId,
    run_name: runId === null ? null : (read.run(runId)?.name ?? null),
    state,
    attempts,
    created_at: timeText(createdMs),
    next_attempt_at: nullableTime(nextMs),
    ended_at: nullableTime(endedMs),
    status,
    error,
  };
}
