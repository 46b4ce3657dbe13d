import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import {
  createdSubscriptionSchema,
  createSubscriptionSchema,
  deliveryListSchema,
  deliverySchema,
  subscriptionListSchema,
} from "../records/subscription-record.ts";
import { pageQueryShape } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

const changeProblems = ["draining", ...STORAGE_PROBLEMS] as const;
const feedAnswer = {
  200: { description: "An Atom feed", mediaTypes: ["application/atom+xml"], headers: ["ETag"] },
} as const;

/** Webhooks, emails and feeds about runs. Callers see their own subscriptions; admins see all. */
export const subscriptionRoutes = routesOf("notifications", {
  "GET /api/subscriptions": {
    operationId: "listSubscriptions",
    access: "viewer",
    summary: "List subscriptions, newest first",
    answers: { 200: { description: "The caller's subscriptions; all for admins", schema: subscriptionListSchema } },
  },
  "POST /api/subscriptions": {
    operationId: "createSubscription",
    access: "runner",
    summary: "Subscribe to a run, a network or an owner",
    description:
      "`webhook`: messages are signed as Standard Webhooks and sent only to hosts that `--webhook-hosts` allows. `email`: requires `--smtp-url`. `feed`: one network, read with the address in the answer.",
    body: createSubscriptionSchema,
    answers: {
      201: {
        description: "The subscription with its secret, which is shown only once",
        schema: createdSubscriptionSchema,
        location: "/api/subscriptions/{subscription_id}",
      },
    },
    problems: ["run-not-found", "network-not-found", "conflict", "draining", ...STORAGE_PROBLEMS],
  },
  "DELETE /api/subscriptions/{subscription_id}": {
    operationId: "deleteSubscription",
    access: "runner",
    summary: "Delete a subscription and its deliveries",
    answers: { 204: { description: "Deleted" } },
    problems: changeProblems,
  },
  "POST /api/subscriptions/{subscription_id}/test": {
    operationId: "testSubscription",
    access: "runner",
    summary: "Send a test message",
    answers: { 202: { description: "The delivery", schema: deliverySchema } },
    problems: ["conflict", ...changeProblems],
  },
  "GET /api/subscriptions/{subscription_id}/deliveries": {
    operationId: "listDeliveries",
    access: "viewer",
    summary: "List the deliveries of a subscription, newest first",
    description: "Weft keeps the newest 1,000 of each subscription.",
    query: z.object(pageQueryShape),
    answers: { 200: { description: "A page of deliveries", schema: deliveryListSchema } },
  },
  "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend": {
    operationId: "resendDelivery",
    access: "runner",
    summary: "Send a message again",
    answers: { 202: { description: "The delivery", schema: deliverySchema } },
    problems: changeProblems,
  },
  "GET /api/networks/{id}/feed": {
    operationId: "getNetworkFeed",
    access: "viewer",
    summary: "Get the newest finished runs of a network as an Atom feed",
    answers: feedAnswer,
  },
  "GET /api/feeds/{subscription_id}": {
    operationId: "getFeed",
    access: "open",
    summary: "Get a feed with its token, for feed readers that cannot sign in",
    query: z.object({ token: z.string().min(1).max(100).describe("Token in `feed_url`") }),
    answers: feedAnswer,
  },
} as const satisfies RouteTable);
