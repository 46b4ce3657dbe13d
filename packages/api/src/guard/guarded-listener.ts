import type { IncomingMessage, ServerResponse } from "node:http";
import { auditEarlyRefusal } from "../audit/audit-requests.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { writeRefusal } from "../http/write-refusal.ts";
import { admitRequest, type Admission, type Arrival, type Gate } from "./admit-request.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { LINGER_MS } from "../http/http-limits.ts";

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface GuardedListenerOptions {
  readonly gate: Gate;
  /** Receives the arrival of each admitted request, for the listeners that follow. */
  readonly arrivals: WeakMap<IncomingMessage, Arrival>;
  /** Base address for the links of refusals. */
  readonly base: string;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  readonly next: RequestListener;
}

/** Passes admitted requests to `next`, without the prefix of the base address, and answers all others. */
export function guardedListener(options: GuardedListenerOptions): RequestListener {
  return (request, response) => {
    if (hasBody(request)) lingerOverUnreadBody(request, response);
    const admission = admitRequest(request, options.gate);
    if (admission instanceof Promise) void admission.then((found) => passOrAnswer(found, request, response, options));
    else passOrAnswer(admission, request, response, options);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function passOrAnswer(
  admission: Admission,
  request: IncomingMessage,
  response: ServerResponse,
  { arrivals, base, metrics, audit, next }: GuardedListenerOptions,
): void {
  if (admission.kind === "closed") {
    request.socket.destroy();
    return;
  }
  if (admission.kind === "refused") {
    auditEarlyRefusal(audit, { refusal: admission.refusal, request, action: "request" });
    writeRefusal(admission.refusal, request, response, base);
    metrics.observe({ method: request.method ?? "", route: "refused", status: response.statusCode, seconds: 0 });
    return;
  }
  request.url = admission.target;
  arrivals.set(request, admission.arrival);
  next(request, response);
}

/**
 * A client whose body is refused (for instance as too large) first sends all of it and then reads the response; closing
 * the connection immediately would lose the response. A client that keeps sending for longer is disconnected.
 */
function lingerOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
    request.once("end", () => clearTimeout(timer));
  });
}
