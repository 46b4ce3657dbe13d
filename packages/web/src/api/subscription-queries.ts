import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CreatedSubscription, CreateSubscription, Delivery } from "@weft/shared/records/subscription-record.ts";
import { api } from "./client.ts";

const PAGE_SIZE = 50;

/** Deliveries end without anything else on the page changing. */
const REFRESH_MS = 3000;

export const subscriptionKeys = { all: ["subscriptions"] as const };

/** The subscriptions of the caller; all of them for admins. */
export function subscriptionsQuery() {
  return queryOptions({
    queryKey: [...subscriptionKeys.all, "list"] as const,
    queryFn: ({ signal }) => api("GET /api/subscriptions", { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The messages to a subscription, newest first. */
export function deliveriesQuery(subscriptionId: string, pageToken: string) {
  return queryOptions({
    queryKey: [...subscriptionKeys.all, subscriptionId, "deliveries", pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/subscriptions/{subscription_id}/deliveries", {
        params: { subscription_id: subscriptionId },
        query: { page_size: PAGE_SIZE, page_token: pageToken },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export function subscribe(body: CreateSubscription): Promise<CreatedSubscription> {
  return api("POST /api/subscriptions", { body });
}

export function unsubscribe(subscriptionId: string): Promise<undefined> {
  return api("DELETE /api/subscriptions/{subscription_id}", { params: { subscription_id: subscriptionId } });
}

export function sendTest(subscriptionId: string): Promise<Delivery> {
  return api("POST /api/subscriptions/{subscription_id}/test", { params: { subscription_id: subscriptionId } });
}

export function resend(subscriptionId: string, deliveryId: string): Promise<Delivery> {
  const params = { subscription_id: subscriptionId, delivery_id: deliveryId };
  return api("POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", { params });
}
