import { TRIGGERS, type Trigger } from "@weft/shared/records/subscription-names.ts";
import type { CreateSubscription, Scope } from "@weft/shared/records/subscription-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { writeLine } from "../io/command-io.ts";
import { UsageError } from "../exit/exit.ts";
import { jsonText, tabbedLine } from "../output/result-text.ts";
import { asking } from "../server/server-client.ts";
import { oneOf, type Settings } from "../settings/read-settings.ts";

export const listSubscriptions = asking(
  (client) => client("GET /api/subscriptions", {}),
  ({ subscriptions }) =>
    subscriptions
      .map(({ subscription_id: id, channel, name, scope, triggers, target, pending }) =>
        tabbedLine([id, channel, scopeText(scope), triggers.join(","), `${pending} pending`, target, name]),
      )
      .join(""),
);

/** Subscribes, and prints the secret of a webhook or the address of a feed once. */
export const addSubscription = asking(
  async (client, settings) => client("POST /api/subscriptions", { body: readSubscription(settings) }),
  ({ subscription_id: id, secret, feed_url: feedUrl }, { io }) => {
    const note = secret === null && feedUrl === null ? "" : ". The following is shown only once";
    writeLine(io, `Subscription ${id}${note}.`);
    return `${secret ?? feedUrl ?? id}\n`;
  },
);

export const removeSubscription = asking<unknown>((client, settings) =>
  client("DELETE /api/subscriptions/{subscription_id}", { params: subscriptionOf(settings) }),
);

export const testSubscription = asking(
  (client, settings) => client("POST /api/subscriptions/{subscription_id}/test", { params: subscriptionOf(settings) }),
  jsonText,
);

export const listDeliveries = asking(
  (client, settings) =>
    client("GET /api/subscriptions/{subscription_id}/deliveries", { params: subscriptionOf(settings) }),
  ({ deliveries }) =>
    deliveries
      .map(({ delivery_id: id, state, attempts, trigger, run_name: run, error }) =>
        tabbedLine([id, state, countText(attempts, "attempt"), trigger, run ?? "", error]),
      )
      .join(""),
);

export const resendDelivery = asking((client, { positionals: [id = ""] }) => {
  const params = { subscription_id: id.split(".")[0] ?? "", delivery_id: id };
  return client("POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", { params });
}, jsonText);

function subscriptionOf({ positionals: [id = ""] }: Settings): { readonly subscription_id: string } {
  return { subscription_id: id };
}

function readSubscription(settings: Settings): CreateSubscription {
  const [url, email] = [settings.text("webhook"), settings.text("email")];
  const channels = [url, email, settings.isOn("feed") ? "" : undefined].filter((text) => text !== undefined);
  if (channels.length !== 1) throw new UsageError("notify add requires one of --webhook, --email and --feed");
  const scope = readScope(settings);
  const head = { name: settings.text("name") ?? scopeText(scope), scope, triggers: readTriggers(settings) };
  if (url !== undefined) return { ...head, channel: "webhook", url };
  return email === undefined ? { ...head, channel: "feed" } : { ...head, channel: "email", email };
}

function readScope(settings: Settings): Scope {
  const [run_id, network, owner] = ["run", "network", "owner"].map((flag) => settings.text(flag));
  if ([run_id, network, owner].filter((text) => text !== undefined).length !== 1)
    throw new UsageError("notify add requires one of --run, --network and --owner");
  if (run_id !== undefined) return { run_id };
  return network === undefined ? { owner: owner ?? "" } : { network };
}

function readTriggers(settings: Settings): Trigger[] {
  const texts = settings.list("on").flatMap((text) => text.split(","));
  return (texts.length === 0 ? ["failure"] : texts).map((text) => oneOf("on", text, TRIGGERS));
}

function scopeText(scope: Scope): string {
  return Object.values(scope).join("");
}
