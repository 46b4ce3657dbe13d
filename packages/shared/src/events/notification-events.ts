import { z } from "zod";
import { deliveryIdSchema, scopeSchema, subscriptionIdSchema } from "../records/subscription-record.ts";
import { CHANNELS, TRIGGERS } from "../records/subscription-names.ts";
import { credentialSchema, epochMsSchema, serverEvent } from "./event-parts.ts";

const ownerSchema = z.string().describe("With private runs, only this principal and admins see the event");

/** Subscriptions and their deliveries. Files of the state folder hold their addresses and secrets; no event does. */
export const NOTIFICATION_EVENTS = [
  serverEvent("subscription.created", {
    subscription_id: subscriptionIdSchema,
    owner: ownerSchema,
    name: z.string(),
    channel: z.enum(CHANNELS),
    scope: scopeSchema,
    triggers: z.array(z.enum(TRIGGERS)),
    credential: credentialSchema,
  }),
  serverEvent("subscription.removed", { subscription_id: subscriptionIdSchema, owner: ownerSchema }),
  // A user requests a test message, or an earlier message again.
  serverEvent("notification.requested", {
    subscription_id: subscriptionIdSchema,
    owner: ownerSchema,
    delivery_id: deliveryIdSchema.optional().describe("Absent: a test message"),
  }),
  serverEvent("notification.attempted", {
    delivery_id: deliveryIdSchema,
    owner: ownerSchema,
    delivered: z.boolean(),
    status: z.int().nullable().describe("HTTP or SMTP status"),
    error: z.string().describe("Why it failed; empty if it did not"),
    next_ms: epochMsSchema.nullable().describe("When Weft tries again; null: never"),
  }),
] as const;
