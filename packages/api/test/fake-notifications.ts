import type { EngineNotifications } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Delivery, Subscription } from "@weft/shared/records/subscription-record.ts";

export const SUBSCRIPTION_ID = "4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11";
export const DELIVERY_ID = `${SUBSCRIPTION_ID}.42`;
const TIME = "2026-11-21T02:02:14.617Z";

const SUBSCRIPTION: Subscription = {
  ...{ subscription_id: SUBSCRIPTION_ID, name: "Night", owner: "ann", channel: "webhook", target: "https://a.example" },
  ...{ scope: { network: "imaging-cohort" }, triggers: ["failure"], created_at: TIME, pending: 0, last_delivery: null },
};

const DELIVERY: Delivery = {
  ...{ delivery_id: DELIVERY_ID, trigger: "test", run_id: null, run_name: null, state: "pending", attempts: 0 },
  ...{ created_at: TIME, next_attempt_at: TIME, ended_at: null, status: null, error: "" },
};

/** One subscription, with one delivery. */
export function fakeNotifications(): EngineNotifications {
  return {
    list: () => ({ subscriptions: [SUBSCRIPTION], channels: ["webhook", "feed"] }),
    create: async () => ({ ...SUBSCRIPTION, secret: "whsec_c2VjcmV0", feed_url: null }),
    unsubscribe: async (_, id) => requireKnown(id),
    test: async (_, id) => {
      requireKnown(id);
      return DELIVERY;
    },
    deliveries: (_, id) => {
      requireKnown(id);
      return { deliveries: [DELIVERY], total: 1, next_page_token: "" };
    },
    resend: async (_, id) => {
      requireKnown(id);
      return DELIVERY;
    },
    networkFeed: (_, id) => {
      if (id !== "imaging-cohort") throw new Refusal("network-not-found", `There is no network ${id}.`);
      return "<feed/>";
    },
    feed: (_, id, token) => {
      requireKnown(id);
      if (token !== "right") throw new Refusal("not-found", "There is no such feed, or its token is wrong.");
      return "<feed/>";
    },
  };
}

function requireKnown(id: string): void {
  if (id !== SUBSCRIPTION_ID) throw new Refusal("not-found", `There is no subscription ${id}.`);
}
