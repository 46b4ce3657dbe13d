import type { Message } from "@weft/shared/records/subscription-record.ts";
import type { Channel } from "@weft/shared/records/subscription-names.ts";
import type { NotificationSettings } from "../port/notification-settings.ts";
import { sendMail } from "./send-mail.ts";
import { sendWebhook } from "./send-webhook.ts";
import type { Sent } from "./sent.ts";
import type { SubscriptionFiles } from "./subscription-files.ts";

/** Sends messages to the addresses of subscriptions. */
export class Sender {
  readonly settings: NotificationSettings;
  readonly #files: SubscriptionFiles;

  constructor(settings: NotificationSettings, files: SubscriptionFiles) {
    this.settings = settings;
    this.#files = files;
  }

  get channels(): readonly Channel[] {
    const { webhooks, mail } = this.settings;
    return [
      ...(webhooks === undefined ? [] : ["webhook" as const]),
      ...(mail === undefined ? [] : ["email" as const]),
      "feed",
    ];
  }

  async send(
    subscriptionId: string,
    what: { readonly id: string; readonly message: Message },
    signal: AbortSignal,
  ): Promise<Sent> {
    const target = this.#files.read(subscriptionId);
    const { webhooks, mail } = this.settings;
    if (target === undefined) return refuse("its address is no longer in the state folder; subscribe again");
    if (target.channel === "webhook")
      return webhooks === undefined ? refuse(NO_WEBHOOKS) : sendWebhook(target, what, { http: webhooks, signal });
    if (target.channel === "email") return mail === undefined ? refuse(NO_MAIL) : sendMail(target.email, what, mail);
    return refuse("a feed is read, not sent");
  }
}

export const NO_WEBHOOKS = "this server sends no webhooks; it must be started with --webhook-hosts";
export const NO_MAIL = "this server sends no mail; it must be started with --smtp-url";

function refuse(error: string): Sent {
  return { delivered: false, status: null, error, mayRetry: false };
}
