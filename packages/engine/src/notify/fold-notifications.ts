import type { EventData } from "@weft/shared/events/event.ts";
import type { Scope } from "@weft/shared/records/subscription-record.ts";
import type { DeliveryTrigger } from "@weft/shared/records/subscription-names.ts";
import type { LogFeature, Occurrence } from "../journal/log-feature.ts";
import type { Projection } from "../journal/project-job.ts";
import { namedStatement } from "../journal/statements.ts";

const TABLES = `
CREATE TABLE subscriptions (
  subscription_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL,
  scope TEXT NOT NULL,
  subject TEXT NOT NULL,
  triggers TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  credential TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_by_subject ON subscriptions (subject, scope);

CREATE TABLE deliveries (
  delivery_id TEXT PRIMARY KEY,
  subscription_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  run_id TEXT,
  automation_id TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  requested_ms INTEGER NOT NULL,
  next_ms INTEGER,
  ended_ms INTEGER,
  attempted_ms INTEGER,
  status INTEGER,
  error TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, seq);
CREATE INDEX deliveries_pending ON deliveries (subscription_id, run_id, seq) WHERE state = 'pending';
`;

/** The number of ended deliveries of a subscription that the tables keep. */
export const KEPT_DELIVERIES = 1000;

/**
 * `deliveries` is the outbox: the transaction that records an event also writes a row for each subscription, so that a
 * crash loses no message. `seq` is the number of the event. `credential`: the token with which a subscription was made;
 * null if it is unknown, or if the caller had no token.
 */
export const NOTIFICATIONS: LogFeature = {
  tables: TABLES,
  folds: {
    "subscription.created": ({ data }, into) => createSubscription(data, into),
    "subscription.removed": ({ data }, into) => removeSubscription(data, into),
    "notification.requested": ({ data }, into) => requestDelivery(data, into),
    "notification.attempted": ({ data }, into) => recordAttempt(data, into),
    "run.ended": ({ run_id: runId, data: { outcome } }, into) => {
      if (outcome !== "canceled") notifyAbout(runId, outcome === "success" ? "success" : "failure", into);
    },
    "run.review-needed": ({ run_id: runId }, into) => notifyAbout(runId, "review-needed", into),
    // Notifies only if the server paused the run after a crash, not if a user paused it.
    "run.paused": ({ run_id: runId, actor }, into) => {
      if (actor === "engine") notifyAbout(runId, "paused", into);
    },
  },
  occurred: queueDeliveries,
};

const CREATE = namedStatement(
  `INSERT INTO subscriptions (subscription_id, owner, name, channel, scope, subject, triggers, created_ms, credential)
   VALUES (:subscription_id, :owner, :name, :channel, :scope, :subject, :triggers, :created_ms, :credential)`,
);

function createSubscription(data: EventData<"subscription.created">, { sql, nowMs }: Projection): void {
  const { subscription_id, owner, name, channel, triggers, credential = null } = data;
  const { kind: scope, subject } = readScope(data.scope);
  const who = { subscription_id, owner, name, channel, credential };
  sql.write(CREATE, { ...who, scope, subject, triggers: JSON.stringify(triggers), created_ms: nowMs });
}

function readScope(scope: Scope): { readonly kind: "run" | "network" | "owner"; readonly subject: string } {
  if ("run_id" in scope) return { kind: "run", subject: scope.run_id };
  if ("network" in scope) return { kind: "network", subject: scope.network };
  return { kind: "owner", subject: scope.owner };
}

function removeSubscription({ subscription_id: id }: EventData<"subscription.removed">, { sql }: Projection): boolean {
  if (sql.get("SELECT 1 FROM subscriptions WHERE subscription_id = ?", id) === undefined) return false;
  sql.run("DELETE FROM subscriptions WHERE subscription_id = ?", id);
  sql.run("DELETE FROM deliveries WHERE subscription_id = ?", id);
  return true;
}

function notifyAbout(runId: string, trigger: Exclude<DeliveryTrigger, "test">, into: Projection): void {
  const row = into.sql.get("SELECT kind, process_id, owner FROM runs WHERE run_id = ?", runId);
  const network = row?.["kind"] === "network" ? String(row["process_id"]) : undefined;
  queueDeliveries({ trigger, runId, network, owner: String(row?.["owner"]) }, into);
}

const SUBSCRIBERS = `SELECT subscription_id FROM subscriptions WHERE channel <> 'feed'
  AND ((subject = ?1 AND scope = 'run') OR (subject = ?2 AND scope = 'network') OR (subject = ?3 AND scope = 'owner'))
  AND EXISTS (SELECT 1 FROM json_each(triggers) WHERE value = ?4)`;

/** Writes a row into the outbox for each subscription. Ignores an imported run, which ended elsewhere. */
function queueDeliveries(about: Occurrence, into: Projection): void {
  const { runId, network, owner, trigger, automationId } = about;
  if (into.seq === undefined) return;
  const wanted = trigger === "paused" ? "failure" : trigger;
  const rows = into.sql.all(SUBSCRIBERS, runId ?? null, network ?? null, owner, wanted);
  for (const row of rows) queueDelivery(String(row["subscription_id"]), { trigger, runId, automationId }, into);
}

const QUEUE = namedStatement(
  `INSERT INTO deliveries (delivery_id, subscription_id, seq, trigger, run_id, automation_id, state, attempts, created_ms,
     requested_ms, next_ms, error)
   VALUES (:delivery_id, :subscription_id, :seq, :trigger, :run_id, :automation_id, 'pending', 0, :now_ms, :now_ms, :now_ms, '')`,
);

interface Queued {
  readonly trigger: DeliveryTrigger;
  readonly runId?: string | undefined;
  readonly automationId?: string | undefined;
}

function queueDelivery(subscriptionId: string, about: Queued, { sql, seq = 0, nowMs }: Projection): void {
  const delivery_id = `${subscriptionId}.${seq}`;
  const { trigger, runId = null, automationId = null } = about;
  const place = { delivery_id, subscription_id: subscriptionId, seq, run_id: runId, automation_id: automationId };
  sql.write(QUEUE, { ...place, trigger, now_ms: nowMs });
  sql.run(
    `DELETE FROM deliveries WHERE subscription_id = ?1 AND state <> 'pending' AND seq < (SELECT seq FROM deliveries
       WHERE subscription_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
    subscriptionId,
    KEPT_DELIVERIES,
  );
}

function requestDelivery(data: EventData<"notification.requested">, into: Projection): boolean {
  const { subscription_id: id, delivery_id: deliveryId } = data;
  const { sql, nowMs } = into;
  if (sql.get("SELECT 1 FROM subscriptions WHERE subscription_id = ?", id) === undefined) return false;
  if (deliveryId === undefined) {
    queueDelivery(id, { trigger: "test" }, into);
    return true;
  }
  const known = "SELECT 1 FROM deliveries WHERE delivery_id = ? AND subscription_id = ?";
  if (sql.get(known, deliveryId, id) === undefined) return false;
  sql.run(
    "UPDATE deliveries SET state = 'pending', requested_ms = ?1, next_ms = ?1, ended_ms = NULL WHERE delivery_id = ?2",
    nowMs,
    deliveryId,
  );
  return true;
}

const ATTEMPT = namedStatement(
  `UPDATE deliveries SET state = :state, attempts = attempts + 1, next_ms = :next_ms, ended_ms = :ended_ms,
     attempted_ms = :attempted_ms, status = :status, error = :error WHERE delivery_id = :delivery_id`,
);

function recordAttempt(data: EventData<"notification.attempted">, { sql, nowMs }: Projection): boolean {
  const { delivery_id, delivered, status, error, next_ms } = data;
  const isPending = "SELECT 1 FROM deliveries WHERE delivery_id = ? AND state = 'pending'";
  if (sql.get(isPending, delivery_id) === undefined) return false;
  const isOver = delivered || next_ms === null;
  const state = delivered ? "delivered" : isOver ? "failed" : "pending";
  const times = { next_ms: isOver ? null : next_ms, ended_ms: isOver ? nowMs : null, attempted_ms: nowMs };
  sql.write(ATTEMPT, { ...times, state, status, error, delivery_id });
  return true;
}
