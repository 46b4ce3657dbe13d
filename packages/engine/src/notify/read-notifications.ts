import type { Channel, DeliveryState, DeliveryTrigger, Trigger } from "@weft/shared/records/subscription-names.ts";
import { decodeToken, pageOf, type Page } from "../journal/page-query.ts";
import { RowReader } from "../journal/row-reader.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Row } from "../journal/statements.ts";

// The casts are safe because only this folder writes these tables, from values of these types.

function toSubscriptionRow(row: Row) {
  const columns = new RowReader(row);
  return {
    subscriptionId: columns.text("subscription_id"),
    owner: columns.text("owner"),
    name: columns.text("name"),
    channel: columns.text("channel") as Channel,
    scope: columns.text("scope") as "run" | "network" | "owner",
    /** ID of the run or network, or the owner. */
    subject: columns.text("subject"),
    triggers: columns.json<readonly Trigger[]>("triggers", []),
    createdMs: columns.number("created_ms"),
    credential: columns.textOrNull("credential"),
  };
}

export type SubscriptionRow = Readonly<ReturnType<typeof toSubscriptionRow>>;

function toDeliveryRow(row: Row) {
  const columns = new RowReader(row);
  return {
    deliveryId: columns.text("delivery_id"),
    subscriptionId: columns.text("subscription_id"),
    seq: columns.number("seq"),
    trigger: columns.text("trigger") as DeliveryTrigger,
    runId: columns.textOrNull("run_id"),
    automationId: columns.textOrNull("automation_id"),
    state: columns.text("state") as DeliveryState,
    attempts: columns.number("attempts"),
    createdMs: columns.number("created_ms"),
    /** When it was last requested: retries end a day later. */
    requestedMs: columns.number("requested_ms"),
    nextMs: columns.numberOrNull("next_ms"),
    endedMs: columns.numberOrNull("ended_ms"),
    attemptedMs: columns.numberOrNull("attempted_ms"),
    status: columns.numberOrNull("status"),
    error: columns.text("error"),
  };
}

/** A row of the outbox. Times in milliseconds since 1970. */
export type DeliveryRow = Readonly<ReturnType<typeof toDeliveryRow>>;

/** The first pending delivery of each run: later ones wait for it. */
const HEADS = `SELECT * FROM deliveries AS head WHERE state = 'pending' AND NOT EXISTS (
  SELECT 1 FROM deliveries AS earlier WHERE earlier.state = 'pending' AND earlier.subscription_id = head.subscription_id
    AND earlier.run_id = head.run_id AND earlier.seq < head.seq)`;

export function readNotifications({ sql }: Pick<LogReader, "sql">) {
  return {
    /** Newest first; with an owner, only theirs. */
    subscriptions(owner?: string): readonly SubscriptionRow[] {
      return sql
        .all("SELECT * FROM subscriptions WHERE ?1 IS NULL OR owner = ?1 ORDER BY created_ms DESC", owner ?? null)
        .map(toSubscriptionRow);
    },

    subscription(subscriptionId: string): SubscriptionRow | undefined {
      const row = sql.get("SELECT * FROM subscriptions WHERE subscription_id = ?", subscriptionId);
      return row === undefined ? undefined : toSubscriptionRow(row);
    },

    pendingDeliveries(subscriptionId: string): number {
      const count = "SELECT count(*) AS n FROM deliveries WHERE subscription_id = ? AND state = 'pending'";
      return Number(sql.get(count, subscriptionId)?.["n"] ?? 0);
    },

    lastAttemptedDelivery(subscriptionId: string): DeliveryRow | undefined {
      const row = sql.get(
        `SELECT * FROM deliveries WHERE subscription_id = ? AND attempts > 0 ORDER BY seq DESC LIMIT 1`,
        subscriptionId,
      );
      return row === undefined ? undefined : toDeliveryRow(row);
    },

    delivery(deliveryId: string): DeliveryRow | undefined {
      const row = sql.get("SELECT * FROM deliveries WHERE delivery_id = ?", deliveryId);
      return row === undefined ? undefined : toDeliveryRow(row);
    },

    /** Newest first. */
    deliveries(
      subscriptionId: string,
      page: { readonly pageSize: number; readonly pageToken?: string | undefined },
    ): Page<DeliveryRow> {
      const [before = Number.MAX_SAFE_INTEGER] = decodeToken(page.pageToken, ["number"]) ?? [];
      const total = Number(
        sql.get("SELECT count(*) AS n FROM deliveries WHERE subscription_id = ?", subscriptionId)?.["n"] ?? 0,
      );
      const rows = sql.all(
        "SELECT * FROM deliveries WHERE subscription_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        subscriptionId,
        before,
        page.pageSize + 1,
      );
      return pageOf(rows, { size: page.pageSize, total, convert: toDeliveryRow, key: (row) => [Number(row["seq"])] });
    },

    /** The delivery of a subscription that is due first, if any is due. */
    dueDelivery(subscriptionId: string, nowMs: number): DeliveryRow | undefined {
      const row = sql.get(
        `${HEADS} AND subscription_id = ? AND next_ms <= ? ORDER BY next_ms, seq LIMIT 1`,
        subscriptionId,
        nowMs,
      );
      return row === undefined ? undefined : toDeliveryRow(row);
    },

    /** Subscriptions with pending deliveries, and when the first of each is due. */
    waitingSubscriptions(): readonly { readonly subscriptionId: string; readonly nextMs: number }[] {
      return sql
        .all(`SELECT subscription_id, min(next_ms) AS next_ms FROM (${HEADS}) GROUP BY subscription_id`)
        .map((row) => ({ subscriptionId: String(row["subscription_id"]), nextMs: Number(row["next_ms"]) }));
    },
  };
}
