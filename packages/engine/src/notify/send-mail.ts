import { createTransport } from "nodemailer";
import type { Message } from "@weft/shared/records/subscription-record.ts";
import type { MailSettings } from "../port/notification-settings.ts";
import type { Sent } from "./sent.ts";

const TIMEOUTS_MS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 20_000 } as const;

/** Sends a plain-text mail. A failure is a value. */
export async function sendMail(
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
    text: `${text}\n\n${url}\n\nYou receive this mail because of a subscription in Weft.\n`,
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

/** A name of a run is the user's: it must not begin another header. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what it removes
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").slice(0, 200);
}

function failure(error: unknown): Sent {
  const { responseCode, message } = error as { readonly responseCode?: number; readonly message: string };
  const why = responseCode === undefined ? message : `the mail server answered ${responseCode}`;
  return { delivered: false, status: responseCode ?? null, error: why.slice(0, 300), mayRetry: true };
}
