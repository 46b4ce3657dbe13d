import { Webhook } from "standardwebhooks";
import type { Message } from "@weft/shared/records/subscription-record.ts";
import { toFetchProblem } from "../files/remote/fetch-problem.ts";
import { httpPost } from "../files/remote/http-get.ts";
import type { HttpSettings } from "../files/remote/http-settings.ts";
import type { Sent } from "./sent.ts";

/** Time for one attempt in all: a receiver must not keep a connection by sending its answer slowly. */
const ATTEMPT_MS = 20_000;

interface Webhooks {
  readonly http: HttpSettings;
  readonly signal: AbortSignal;
}

/** Posts a message, signed as Standard Webhooks, without following redirects. A failure is a value. */
export async function sendWebhook(
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
    const why = late ? `no answer within ${ATTEMPT_MS / 1000} s` : messageOf(toFetchProblem(error));
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
