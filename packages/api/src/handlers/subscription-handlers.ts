import type { Context } from "../http/context.ts";
import { textEntityTag } from "../http/entity-tag.ts";
import { isKnown } from "../http/is-known.ts";
import type { ContentAnswer, Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type SubscriptionHandlers = Pick<
  Handlers,
  | "GET /api/subscriptions"
  | "POST /api/subscriptions"
  | "DELETE /api/subscriptions/{subscription_id}"
  | "POST /api/subscriptions/{subscription_id}/test"
  | "GET /api/subscriptions/{subscription_id}/deliveries"
  | "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend"
  | "GET /api/networks/{id}/feed"
  | "GET /api/feeds/{subscription_id}"
>;

/** Webhooks, mails and feeds about runs. */
export function createSubscriptionHandlers({ engine }: ServerParts): SubscriptionHandlers {
  const { notifications } = engine;
  return {
    "GET /api/subscriptions": ({ caller }) => ({ status: 200, body: notifications.list(caller) }),
    "POST /api/subscriptions": async ({ caller, body }) => {
      const made = await notifications.create(caller, body);
      const headers = { Location: `${caller.links.base}/api/subscriptions/${made.subscription_id}` };
      return { status: 201, body: made, headers };
    },
    "DELETE /api/subscriptions/{subscription_id}": async ({ caller, params }) => {
      await notifications.unsubscribe(caller, params.subscription_id);
      return { status: 204, body: undefined };
    },
    "POST /api/subscriptions/{subscription_id}/test": async ({ caller, params }) => ({
      status: 202,
      body: await notifications.test(caller, params.subscription_id),
    }),
    "GET /api/subscriptions/{subscription_id}/deliveries": ({ caller, params, query }) => ({
      status: 200,
      body: notifications.deliveries(caller, params.subscription_id, query),
    }),
    "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend": async ({ caller, params }) => ({
      status: 202,
      body: await notifications.resend(caller, params.subscription_id, params.delivery_id),
    }),
    "GET /api/networks/{id}/feed": ({ caller, params, ctx }) =>
      feedAnswer(ctx, notifications.networkFeed(caller, params.id)),
    "GET /api/feeds/{subscription_id}": ({ caller, params, query, ctx }) =>
      feedAnswer(ctx, notifications.feed(caller, params.subscription_id, query.token)),
  };
}

/** Feed readers ask every few minutes, mostly for what they have. */
function feedAnswer(ctx: Context, content: string): ContentAnswer {
  const entityTag = textEntityTag(content);
  const headers = { ETag: entityTag, "Cache-Control": "private, no-cache" };
  const mediaType = "application/atom+xml";
  if (isKnown(ctx, { entityTag })) return { status: 304, mediaType, content: null, headers };
  return { status: 200, mediaType, content, headers };
}
