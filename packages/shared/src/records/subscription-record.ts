import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { catalogIdSchema, oneLine, pageShape, runIdSchema, timeSchema, uuidSchema } from "./primitives.ts";
import { CHANNELS, DELIVERY_STATES, DELIVERY_TRIGGERS, TRIGGERS } from "./subscription-names.ts";

export const subscriptionIdSchema = uuidSchema("ID of a subscription", "4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11");

/** ID of the subscription and sequence number of the event: equal for each attempt, so receivers recognize repeats. */
export const deliveryIdSchema = z
  .string()
  .regex(/^[0-9a-f-]{36}\.\d{1,15}$/)
  .meta({
    description: "ID of a delivery; `webhook-id` of its messages",
    examples: ["4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42"],
  });

const principalSchema = z.string().min(1).max(256).describe("Principal who owns runs");

/** The runs of a subscription: exactly one field is present. */
export const scopeSchema = z
  .union([
    z.strictObject({ run_id: runIdSchema }),
    z.strictObject({ network: catalogIdSchema }),
    z.strictObject({ owner: principalSchema }),
  ])
  .meta({ id: "SubscriptionScope", description: "One run, the runs of a network, or the runs of an owner" });
export type Scope = z.infer<typeof scopeSchema>;

const triggersSchema = z
  .array(z.enum(TRIGGERS))
  .min(1)
  .max(TRIGGERS.length)
  .describe(
    "`failure`: a run ended with an error or without some of its outputs; `success`: with all; `review-needed`: a run succeeded with pictures of its samples, which nobody has reviewed yet; `automation-stopped`: an automation has stopped",
  );

const nameSchema = oneLine(100).describe("Name of the subscription");

/** One plain address: no display name, no list, no line break. */
const emailSchema = z.email().max(254).describe("Address of the recipient");

const newSubscriptionShape = { name: nameSchema, scope: scopeSchema, triggers: triggersSchema } as const;

/** The body of POST /api/subscriptions. */
export const createSubscriptionSchema = z
  .discriminatedUnion("channel", [
    z.strictObject({
      channel: z.literal("webhook"),
      ...newSubscriptionShape,
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .describe("Address to which Weft sends messages by POST"),
    }),
    z.strictObject({ channel: z.literal("email"), ...newSubscriptionShape, email: emailSchema }),
    z.strictObject({ channel: z.literal("feed"), ...newSubscriptionShape }),
  ])
  .meta({ id: "CreateSubscription" });
export type CreateSubscription = z.infer<typeof createSubscriptionSchema>;

export const subscriptionSchema = namedObject("Subscription", {
  subscription_id: subscriptionIdSchema,
  name: z.string(),
  owner: z.string().describe("Principal who receives the messages"),
  channel: z.enum(CHANNELS),
  scope: scopeSchema,
  triggers: z.array(z.enum(TRIGGERS)),
  target: z.string().describe("Destination of messages, without the parts that can be secrets"),
  created_at: timeSchema,
  pending: z.int().min(0).describe("Deliveries that have not succeeded yet"),
  last_delivery: z
    .object({
      state: z.enum(DELIVERY_STATES),
      at: timeSchema,
      error: z.string().describe("Why it failed; empty if it did not"),
    })
    .nullable()
    .describe("The newest delivery that was attempted"),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** The response to a creation, which is the only one with the secret. */
export const createdSubscriptionSchema = subscriptionSchema
  .extend({
    secret: z.string().nullable().describe("Signing secret of a webhook (`whsec_…`). Shown only once"),
    feed_url: z.string().nullable().describe("Address for feed readers, with its token. Shown only once"),
  })
  .meta({ id: "CreatedSubscription" });
export type CreatedSubscription = z.infer<typeof createdSubscriptionSchema>;

export const subscriptionListSchema = namedObject("SubscriptionList", {
  subscriptions: z.array(subscriptionSchema),
  channels: z.array(z.enum(CHANNELS)).describe("Channels that this server can use"),
});

export const deliverySchema = namedObject("Delivery", {
  delivery_id: deliveryIdSchema,
  trigger: z.enum(DELIVERY_TRIGGERS),
  run_id: z.string().nullable(),
  run_name: z.string().nullable(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int().min(0).describe("Number of attempts"),
  created_at: timeSchema,
  next_attempt_at: timeSchema.nullable().describe("null: no further attempt"),
  ended_at: timeSchema.nullable(),
  status: z.int().nullable().describe("HTTP or SMTP status of the last attempt"),
  error: z.string().describe("Why the last attempt failed; empty if it did not"),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveryListSchema = namedObject("DeliveryList", { deliveries: z.array(deliverySchema), ...pageShape });

/** The body of a webhook. It holds no values of inputs or outputs. */
export const messageSchema = namedObject("NotificationMessage", {
  type: z.enum(["run.failed", "run.paused", "run.succeeded", "run.review-needed", "automation.stopped", "test"]),
  timestamp: timeSchema.describe("Time of the event"),
  data: z.object({
    text: z.string().describe("The message in a sentence"),
    url: z.string().describe("Address of the page about the run or automation"),
    run_id: z.string().optional(),
    run_name: z.string().optional(),
    network: z.string().optional(),
    tool: z.string().optional(),
    state: z.string().optional(),
    outcome: z.string().optional(),
    automation_id: z.string().optional(),
  }),
});
export type Message = z.infer<typeof messageSchema>;
