import { TRIGGERS } from "@weft/shared/records/subscription-names.ts";
import type { CreateSubscription, Scope, Subscription } from "@weft/shared/records/subscription-record.ts";
import type { Trigger } from "@weft/shared/records/subscription-names.ts";
import { writeLine } from "../io/command-io.ts";
import { UsageError } from "../exit/usage-error.ts";
import { asJson, line, printResponse } from "../server/print-response.ts";
import type { Settings } from "../settings/read-settings.ts";

export async function listSubscriptions(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const list = await client("GET /api/subscriptions", { headers });
    return settings.isOn("json") ? asJson(list) : list.subscriptions.map(subscriptionLine).join("");
  });
}

/** Subscribes, and prints the secret of a webhook or the address of a feed once. */
export async function addSubscription(settings: Settings): Promise<number> {
  const body = readSubscription(settings);
  return printResponse(settings, async ({ client, headers }) => {
    const created = await client("POST /api/subscriptions", { body, headers });
    if (settings.isOn("json")) return asJson(created);
    const { subscription_id: id, secret, feed_url: feedUrl } = created;
    writeLine(
      settings.io,
      `Subscription ${id}${secret === null && feedUrl === null ? "" : ". The following is shown only once"}.`,
    );
    return `${secret ?? feedUrl ?? id}\n`;
  });
}

export async function removeSubscription(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    await client("DELETE /api/subscriptions/{subscription_id}", { params: subscriptionOf(settings), headers });
    return "";
  });
}

export async function testSubscription(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const params = subscriptionOf(settings);
    return asJson(await client("POST /api/subscriptions/{subscription_id}/test", { params, headers }));
  });
}

export async function listDeliveries(settings: Settings): Promise<number> {
  return printResponse(settings, async ({ client, headers }) => {
    const params = subscriptionOf(settings);
    const list = await client("GET /api/subscriptions/{subscription_id}/deliveries", { params, headers });
    if (settings.isOn("json")) return asJson(list);
    return list.deliveries
      .map(({ delivery_id: id, state, attempts, trigger, run_name: run, error }) =>
        line([id, state, `${attempts} attempts`, trigger, run ?? "", error]),
      )
      .join("");
  });
}

export async function resendDelivery(settings: Settings): Promise<number> {
  const [id = ""] = settings.positionals;
  const params = { subscription_id: id.split(".")[0] ?? "", delivery_id: id };
  return printResponse(settings, async ({ client, headers }) =>
    asJson(
      await client("POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", { params, headers }),
    ),
  );
}

function subscriptionOf(settings: Settings): { readonly subscription_id: string } {
  return { subscription_id: settings.positionals[0] ?? "" };
}

function readSubscription(settings: Settings): CreateSubscription {
  const [url, email] = [settings.text("webhook"), settings.text("email")];
  const channels = [url, email, settings.isOn("feed") ? "" : undefined].filter((text) => text !== undefined);
  if (channels.length !== 1) throw new UsageError("notify add requires one of --webhook, --email and --feed");
  const scope = readScope(settings);
  const head = {
    name: settings.text("name") ?? Object.values(scope).join(""),
    scope,
    triggers: readTriggers(settings),
  };
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
  return (texts.length === 0 ? ["failure"] : texts).map((text) => {
    const trigger = TRIGGERS.find((known) => known === text);
    if (trigger !== undefined) return trigger;
    throw new UsageError(`--on takes ${TRIGGERS.join(", ")}, not "${text}"`);
  });
}

function subscriptionLine({
  subscription_id: id,
  channel,
  name,
  scope,
  triggers,
  target,
  pending,
}: Subscription): string {
  return line([id, channel, Object.values(scope).join(""), triggers.join(","), `${pending} pending`, target, name]);
}
