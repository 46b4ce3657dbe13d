import type { Message } from "@weft/shared/records/subscription-record.ts";
import type { Channel } from "@weft/shared/records/subscription-names.ts";
import { errorText } from "../error-text.ts";
import type { NotificationSettings, MailSettings } from "../port/notification-settings.ts";
import type { SubscriptionFiles } from "./subscription-files.ts";
import { Webhook } from "standardwebhooks";
import { toFetchProblem } from "../files/remote/fetch-problem.ts";
import { httpPost } from "../files/remote/http-get.ts";
import type { HttpSettings } from "../files/remote/http-settings.ts";
import { createTransport } from "nodemailer";

/** The result of one attempt to deliver a message. */
export interface Sent {
  readonly delivered: boolean;
  /** HTTP or SMTP status; null without an answer. */
  readonly status: number | null;
  /** The error; empty if the message was delivered. */
  readonly error: string;
  readonly mayRetry: boolean;
}

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
    if (target === undefined) return giveUp("its address is no longer in the state folder; subscribe again");
    if (target.channel === "webhook")
      return webhooks === undefined ? giveUp(NO_WEBHOOKS) : sendWebhook(target, what, { http: webhooks, signal });
    if (target.channel === "email") return mail === undefined ? giveUp(NO_MAIL) : sendMail(target.email, what, mail);
    return giveUp("a feed is read, not sent");
  }
}

export const NO_WEBHOOKS = "this server sends no webhooks; it must be started with --webhook-hosts";
export const NO_MAIL = "this server sends no email; it must be started with --smtp-url";

/** A failure that no later attempt can repair. */
export function giveUp(error: string): Sent {
  return { delivered: false, status: null, error, mayRetry: false };
}

/** Time for one attempt in all: a receiver must not keep a connection by sending its answer slowly. */
const ATTEMPT_MS = 20_000;

interface Webhooks {
  readonly http: HttpSettings;
  readonly signal: AbortSignal;
}

/** Posts a message, signed as Standard Webhooks, without following redirects. A failure is a value. */
async function sendWebhook(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, message }: { readonly id: string; readonly message: Message },
  { http, signal }: Webhooks,
): Promise<Sent> {
  const now = new Date();
  const body = JSON.stringify(message);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, now, body),
  };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
  try {
    const response = await httpPost({ url, headers, body, signal: deadline }, http);
    response.destroy();
    return judge(response.statusCode ?? 0);
  } catch (error) {
    const late = deadline.aborted && !signal.aborted;
    const why = late ? `no answer within ${ATTEMPT_MS / 1000} s` : errorText(toFetchProblem(error));
    return { delivered: false, status: null, error: why, mayRetry: true };
  }
}

function judge(status: number): Sent {
  if (status >= 200 && status < 300) return { delivered: true, status, error: "", mayRetry: false };
  const isRedirect = status >= 300 && status < 400;
  const error = `the receiver answered ${status}${isRedirect ? "; Weft does not follow redirects of webhooks" : ""}`;
  // 410 Gone: the receiver wants no more messages.
  return { delivered: false, status, error, mayRetry: status !== 410 };
}

const TIMEOUTS_MS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 20_000 } as const;

/** Sends a plain-text mail. A failure is a value. */
async function sendMail(
  to: string,
  { id, message }: { readonly id: string; readonly message: Message },
  settings: MailSettings,
): Promise<Sent> {
  const { host, port, secure, auth, from } = settings;
  const transport = createTransport({
    ...{ host, port, secure },
    // A password never travels without TLS.
    ...(auth === undefined ? {} : { auth, requireTLS: !secure }),
    ...TIMEOUTS_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { text, url } = message.data;
  const mail = {
    ...{ from, to: { name: "", address: to } },
    subject: oneLine(`[Weft] ${text}`),
    text: `${text}\n\n${url}\n\nYou are receiving this email because of a subscription in Weft.\n`,
    // Equal for each attempt, so that mail programs recognize repetitions.
    messageId: `<${id}@weft.invalid>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
  try {
    const { rejected } = await transport.sendMail(mail);
    if (rejected.length === 0) return { delivered: true, status: 250, error: "", mayRetry: false };
    return { delivered: false, status: null, error: "the mail server rejected the recipient", mayRetry: true };
  } catch (error) {
    return failure(error);
  } finally {
    transport.close();
  }
}

/** Users choose the names of runs, so a name must not begin another header. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- the pattern removes them
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").slice(0, 200);
}

function failure(error: unknown): Sent {
  const { responseCode, message } = error as { readonly responseCode?: number; readonly message: string };
  const why = responseCode === undefined ? message : `the mail server answered ${responseCode}`;
  return { delivered: false, status: responseCode ?? null, error: why.slice(0, 300), mayRetry: true };
}
