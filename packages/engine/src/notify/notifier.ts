import type { NewEvent } from "../journal/journal-event.ts";
import type { Journal } from "../journal/journal.ts";
import { readNotifications, type DeliveryRow, type SubscriptionRow } from "./read-notifications.ts";
import type { Log } from "../log.ts";
import type { ActAs } from "../port/caller.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import { nextAttemptMs } from "./delivery-delays.ts";
import { giveUp, type Sender, type Sent } from "./sender.ts";
import { writeMessage } from "./write-message.ts";

export interface NotifierOptions {
  readonly journal: Journal;
  readonly sender: Pick<Sender, "send">;
  readonly actAs: ActAs;
  /** Delays between attempts. Default: DELIVERY_DELAYS_MS. */
  readonly delaysMs?: readonly number[] | undefined;
  readonly log: Log;
}

/** Events after which the outbox may have new rows. */
const OCCASIONS: ReadonlySet<string> = new Set([
  "run.ended",
  "run.paused",
  "run.review-needed",
  "notification.requested",
  "automation.changed",
]);
const MAX_TIMER_MS = 3_600_000;

/**
 * Empties the outbox: one delivery at a time for each subscription, those of a run in their order, until they have
 * succeeded or a day has passed. A message that was sent but not recorded when the server was killed is sent again.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #working = new Map<string, Promise<void>>();
  readonly #over = new AbortController();
  #stop: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Sends the deliveries in the outbox, and from now on new ones. */
  begin(): void {
    if (this.#over.signal.aborted) return;
    this.#stop = this.#options.journal.subscribe((events) => {
      if (events.some(({ type }) => OCCASIONS.has(type))) this.#wake();
    });
    this.#wake();
  }

  /** Starts no more deliveries and aborts the current ones, which the next server repeats. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#stop();
    clearTimeout(this.#timer);
    await Promise.all(this.#working.values());
  }

  #wake(): void {
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#timer);
    const { journal } = this.#options;
    const nowMs = journal.nowMs();
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { subscriptionId, nextMs } of readNotifications(journal.read).waitingSubscriptions()) {
      if (this.#working.has(subscriptionId)) continue;
      if (nextMs <= nowMs) this.#begin(subscriptionId);
      else firstMs = Math.min(firstMs, nextMs);
    }
    if (firstMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#wake(), Math.min(firstMs - nowMs, MAX_TIMER_MS)).unref();
  }

  #begin(subscriptionId: string): void {
    const { log } = this.#options;
    const work = this.#empty(subscriptionId)
      .catch((error: unknown) => log("warn", "notifications could not be sent", { error: String(error) }))
      .finally(() => {
        this.#working.delete(subscriptionId);
        this.#wake();
      });
    this.#working.set(subscriptionId, work);
  }

  async #empty(subscriptionId: string): Promise<void> {
    const { journal } = this.#options;
    for (;;) {
      const outbox = readNotifications(journal.read);
      const subscription = outbox.subscription(subscriptionId);
      const due = outbox.dueDelivery(subscriptionId, journal.nowMs());
      if (subscription === undefined || due === undefined || this.#over.signal.aborted) return;
      const sent = await this.#attempt(subscription, due);
      // The end of the server is not a failure of the receiver.
      if (this.#over.signal.aborted && !sent.delivered) return;
      await journal.append([this.#attempted(subscription, due, sent)]);
    }
  }

  async #attempt(subscription: SubscriptionRow, due: DeliveryRow): Promise<Sent> {
    const { journal, sender, actAs } = this.#options;
    const { subscriptionId, owner } = subscription;
    const caller = actAs(subscription)?.caller;
    if (caller === undefined)
      return giveUp(`${owner} may no longer use this server with the token of the subscription`);
    const run = due.runId === null ? undefined : journal.read.run(due.runId, visibleOwner(caller));
    if (due.runId !== null && run === undefined) return giveUp(`${owner} may no longer see this run`);
    const message = writeMessage(due, run, caller.links);
    return sender.send(subscriptionId, { id: due.deliveryId, message }, this.#over.signal);
  }

  #attempted({ owner }: SubscriptionRow, due: DeliveryRow, sent: Sent): NewEvent {
    const { journal, delaysMs } = this.#options;
    const { delivered, status, error, mayRetry } = sent;
    const attempted = { attempts: due.attempts + 1, requestedMs: due.requestedMs, nowMs: journal.nowMs() };
    const next_ms = delivered || !mayRetry ? null : nextAttemptMs(attempted, delaysMs);
    const data = { delivery_id: due.deliveryId, owner, delivered, status, error, next_ms };
    return { type: "notification.attempted", run_id: null, actor: "engine", data };
  }
}
