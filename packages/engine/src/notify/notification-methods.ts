import { hash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { FINAL_STATES } from "@weft/shared/records/state-names.ts";
import type {
  CreatedSubscription,
  CreateSubscription,
  Delivery,
  Scope,
  Subscription,
} from "@weft/shared/records/subscription-record.ts";
import { changeableOwner, requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { readNotifications, type DeliveryRow, type SubscriptionRow } from "./read-notifications.ts";
import type { RunRow } from "../journal/rows.ts";
import { Notifier } from "./notifier.ts";
import { NO_MAIL, NO_WEBHOOKS, Sender } from "./sender.ts";
import { SubscriptionFiles, type SubscriptionSecret } from "./subscription-files.ts";
import { writeFeed } from "./write-feed.ts";
import type { Log } from "../log.ts";
import type { ActAs, Caller } from "../port/caller.ts";
import type { RouteMethods, TextDocument } from "../port/route-methods.ts";
import type { Agent } from "../port/engine.ts";
import type { NotificationSettings } from "../port/notification-settings.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { nullableTime, timeText } from "../present/present-time.ts";

export interface NotificationOptions {
  readonly journal: Journal;
  readonly catalog: Catalog;
  /** The folder of subscriptions has addresses and secrets. */
  readonly folder: { readonly subscriptions: string };
  readonly notifications?: (NotificationSettings & { readonly delaysMs?: readonly number[] }) | undefined;
  readonly actAs: ActAs;
  readonly log: Log;
  /** Messages link to pages of the server, so the notifier begins once the server listens. */
  readonly begin: (agent: Agent) => void;
}

export function openNotifications({
  folder,
  notifications = {},
  begin,
  ...options
}: NotificationOptions): RouteMethods {
  const { delaysMs, ...settings } = notifications;
  const { journal, catalog, actAs } = options;
  const files = new SubscriptionFiles(folder.subscriptions);
  const known = readNotifications(journal.read).subscriptions();
  files.removeAllBut(new Set(known.map(({ subscriptionId }) => subscriptionId)));
  const sender = new Sender(settings, files);
  begin(new Notifier({ ...options, sender, delaysMs }));
  return notificationMethods({ journal, catalog, files, sender, actAs });
}

interface NotificationServices {
  readonly journal: Journal;
  readonly catalog: Pick<Catalog, "find">;
  readonly files: SubscriptionFiles;
  readonly sender: Pick<Sender, "settings" | "channels">;
  readonly actAs: ActAs;
}

const MAX_SUBSCRIPTIONS = 1000;
const MAX_OF_OWNER = 100;
const FEED_ENTRIES = 50;
const PAGE_SIZE = 50;

function notificationMethods(services: NotificationServices): RouteMethods {
  const { journal, sender } = services;
  const { read } = journal;
  const outbox = readNotifications(read);
  return {
    "GET /api/subscriptions": ({ caller }) => ({
      subscriptions: outbox.subscriptions(changeableOwner(caller)).map((row) => presentSubscription(row, services)),
      channels: [...sender.channels],
    }),
    "POST /api/subscriptions": ({ caller, body }) => create(caller, body, services),
    "DELETE /api/subscriptions/{subscription_id}": async ({ caller, params: { subscription_id: id } }) => {
      const { owner } = requireSubscription(caller, id, services);
      const data = { subscription_id: id, owner };
      await journal.append([{ type: "subscription.removed", run_id: null, actor: caller.principal, data }]);
      services.files.remove(id);
    },
    "POST /api/subscriptions/{subscription_id}/test": async ({ caller, params: { subscription_id: id } }) => {
      const { owner, channel } = requireSubscription(caller, id, services);
      if (channel === "feed") throw new Refusal("conflict", "A feed is read, not sent; open its address instead.");
      return request(caller, { subscription_id: id, owner }, services);
    },
    "GET /api/subscriptions/{subscription_id}/deliveries": ({ caller, params: { subscription_id: id }, query }) => {
      const { page_size: pageSize = PAGE_SIZE, page_token: pageToken } = query;
      requireSubscription(caller, id, services);
      const { entries, total, nextPageToken } = outbox.deliveries(id, { pageSize, pageToken });
      return { deliveries: entries.map((row) => presentDelivery(row, read)), total, next_page_token: nextPageToken };
    },
    "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend": async ({ caller, params }) => {
      const { subscription_id: id, delivery_id: deliveryId } = params;
      const { owner } = requireSubscription(caller, id, services);
      if (outbox.delivery(deliveryId)?.subscriptionId !== id)
        throw new Refusal("not-found", `The subscription has no delivery ${deliveryId}.`);
      return request(caller, { subscription_id: id, owner, delivery_id: deliveryId }, services);
    },
    "GET /api/networks/{id}/feed": ({ caller, params: { id } }) => {
      services.catalog.find("network", id, undefined);
      return feedOf(caller, id, services);
    },
    "GET /api/feeds/{subscription_id}": ({ params: { subscription_id: id }, query: { token } }) =>
      feedByToken(id, token, services),
  };
}

function requireSubscription(caller: Caller, id: string, { journal }: NotificationServices): SubscriptionRow {
  const row = readNotifications(journal.read).subscription(id);
  const owner = changeableOwner(caller);
  if (row === undefined || (owner !== undefined && row.owner !== owner))
    throw new Refusal("not-found", `There is no subscription ${id}.`);
  return row;
}

async function create(
  caller: Caller,
  body: CreateSubscription,
  services: NotificationServices,
): Promise<CreatedSubscription> {
  const { journal, files } = services;
  requireScope(caller, body, services);
  requireCapacity(caller, services);
  requireCurrentRights(caller, services);
  const made = makeTarget(body, services);
  const subscription_id = randomUUID();
  const { name, channel, scope } = body;
  const triggers = [...new Set(body.triggers)];
  const { principal: owner, credential } = caller;
  const data = { subscription_id, owner, name, channel, scope, triggers, ...(credential && { credential }) };
  files.add(subscription_id, made.content);
  try {
    await journal.append([{ type: "subscription.created", run_id: null, actor: caller.principal, data }]);
  } catch (error) {
    files.remove(subscription_id);
    throw error;
  }
  const { content, token } = made;
  return {
    ...presentSubscription(requireSubscription(caller, subscription_id, services), services),
    secret: content.channel === "webhook" ? content.secret : null,
    feed_url: token === undefined ? null : `${caller.links.base}/api/feeds/${subscription_id}?token=${token}`,
  };
}

function requireScope(caller: Caller, { scope, channel }: CreateSubscription, services: NotificationServices): void {
  if (channel === "feed" && !("network" in scope))
    throw invalid("/scope", "a feed belongs to a network", "name a network");
  if ("run_id" in scope) requireVisibleRun(services.journal.read, scope.run_id, caller);
  if ("network" in scope) services.catalog.find("network", scope.network, undefined);
  if ("owner" in scope && scope.owner !== caller.principal && caller.othersRuns === "hidden")
    throw new Refusal("forbidden", "On this server, only admins may subscribe to the runs of other owners.");
}

function requireCapacity({ principal }: Caller, { journal: { read } }: NotificationServices): void {
  const all = readNotifications(read).subscriptions();
  const own = all.filter(({ owner }) => owner === principal).length;
  if (all.length < MAX_SUBSCRIPTIONS && own < MAX_OF_OWNER) return;
  const limit = own < MAX_OF_OWNER ? `${MAX_SUBSCRIPTIONS} on this server` : `${MAX_OF_OWNER} per person`;
  throw new Refusal("conflict", `There are too many subscriptions (at most ${limit}). Delete some first.`);
}

/** The rights of subscribers are checked again for each message, while they are away. */
function requireCurrentRights(caller: Caller, { actAs, journal }: NotificationServices): void {
  const { principal, credential = null } = caller;
  if (actAs({ owner: principal, credential, createdMs: journal.nowMs() }) !== undefined) return;
  throw new Refusal(
    "forbidden",
    `Weft cannot check the role of ${principal} while they are away. Sign in with a named token (weft token create) to subscribe.`,
  );
}

interface Target {
  readonly content: SubscriptionSecret;
  /** The token in the address of a feed. */
  readonly token?: string;
}

function makeTarget(body: CreateSubscription, { sender }: NotificationServices): Target {
  const { webhooks, mail } = sender.settings;
  if (body.channel === "webhook") {
    if (webhooks === undefined) throw new Refusal("conflict", sentence(NO_WEBHOOKS));
    const refusal = webhooks.policy.refuseUrl(body.url);
    if (refusal !== undefined) throw invalid("/url", refusal.message, refusal.hint ?? "use another host");
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    return { content: { channel: "webhook", url: body.url, secret } };
  }
  if (body.channel === "email") {
    if (mail === undefined) throw new Refusal("conflict", sentence(NO_MAIL));
    const domain = body.email.slice(body.email.lastIndexOf("@") + 1).toLowerCase();
    if (!mail.domains.includes(domain) && !mail.domains.includes("*"))
      throw invalid("/email", `this server sends no email to ${domain}`, `allowed: ${mail.domains.join(", ")}`);
    return { content: { channel: "email", email: body.email } };
  }
  const token = randomBytes(32).toString("base64url");
  return { content: { channel: "feed", token_sha256: hash("sha256", token) }, token };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function invalid(pointer: string, detail: string, hint: string): Refusal {
  return new Refusal("invalid-body", `The subscription is not valid: ${detail}.`, {
    errors: [{ pointer, code: "not-allowed", detail, hint }],
  });
}

type Wanted = Extract<NewEvent, { readonly type: "notification.requested" }>["data"];

async function request(caller: Caller, data: Wanted, { journal }: NotificationServices) {
  const [recorded] = await journal.append([
    { type: "notification.requested", run_id: null, actor: caller.principal, data },
  ]);
  const made = recorded == null ? undefined : `${data.subscription_id}.${recorded.seq}`;
  const row = made === undefined ? undefined : readNotifications(journal.read).delivery(data.delivery_id ?? made);
  if (row === undefined) throw new Refusal("not-found", `There is no subscription ${data.subscription_id}.`);
  return presentDelivery(row, journal.read);
}

function feedOf(
  caller: Caller,
  network: string,
  { journal }: NotificationServices,
  isWanted: (run: RunRow) => boolean = () => true,
): TextDocument {
  const query = { kind: "network", processId: network, visibleOwner: visibleOwner(caller) } as const;
  const { entries } = journal.read.runs({ ...query, states: FINAL_STATES, ascending: false, pageSize: FEED_ENTRIES });
  const runs = entries
    .filter(isWanted)
    .map((run) => ({ run, needsReview: journal.read.samplesWaiting(run.runId) > 0 }));
  const text = writeFeed({ network, runs, links: caller.links, nowMs: journal.nowMs() });
  return { mediaType: "application/atom+xml", text };
}

function feedByToken(id: string, token: string, services: NotificationServices): TextDocument {
  const { journal, files, actAs } = services;
  const row = readNotifications(journal.read).subscription(id);
  const content = files.read(id);
  const caller = row === undefined ? undefined : actAs(row)?.caller;
  const isOpen = content?.channel === "feed" && equal(hash("sha256", token), content.token_sha256);
  if (row === undefined || caller === undefined || !isOpen)
    throw new Refusal("not-found", "There is no such feed, or its token is wrong.");
  const wants = new Set(row.triggers);
  return feedOf(caller, row.subject, services, ({ runId, outcome }) => {
    if (wants.has("review-needed") && journal.read.samplesWaiting(runId) > 0) return true;
    return outcome === "success" ? wants.has("success") : outcome !== "canceled" && wants.has("failure");
  });
}

/** Compares two hashes of equal length in constant time. */
function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function presentSubscription(row: SubscriptionRow, { journal, files }: NotificationServices): Subscription {
  const { subscriptionId, name, owner, channel, triggers, createdMs } = row;
  const outbox = readNotifications(journal.read);
  const last = outbox.lastAttemptedDelivery(subscriptionId);
  return {
    ...{ subscription_id: subscriptionId, name, owner, channel },
    target: shownTarget(files.read(subscriptionId)),
    scope: scopeOf(row),
    triggers: [...triggers],
    created_at: timeText(createdMs),
    pending: outbox.pendingDeliveries(subscriptionId),
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

function presentDelivery(row: DeliveryRow, read: LogReader): Delivery {
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
