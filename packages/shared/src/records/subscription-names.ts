// Separate from their schemas, so that the web app does not load the schema library.

/** Possible subjects of a subscription. */
export const TRIGGERS = ["failure", "success", "review-needed", "automation-stopped"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * Possible occasions of a message. Subscribers to failures also receive messages about runs that Weft has paused; a
 * test message is about nothing.
 */
export const DELIVERY_TRIGGERS = [...TRIGGERS, "paused", "test"] as const;
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number];

export const CHANNELS = ["webhook", "email", "feed"] as const;
export type Channel = (typeof CHANNELS)[number];

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
