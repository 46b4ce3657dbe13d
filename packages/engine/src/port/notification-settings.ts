import type { HttpSettings } from "../files/remote/http-settings.ts";

/** Messages that may be sent to subscribers. */
export interface NotificationSettings {
  /** Hosts that webhooks may go to; absent: no webhooks. */
  readonly webhooks?: HttpSettings | undefined;
  /** The mail settings; without them, no mail is sent. */
  readonly mail?: MailSettings | undefined;
}

/** The administrator's settings for sending mail. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
  /** Domains that recipients may have. */
  readonly domains: readonly string[];
}
