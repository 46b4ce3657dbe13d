import type { IncomingMessage, ServerResponse } from "node:http";
import { auditEarlyRefusal } from "../audit/audit-early-refusal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { lingerOverUnreadBody } from "../http/linger-over-unread-body.ts";
import { writeRefusal } from "../http/write-refusal.ts";
import { admitRequest } from "./admit-request.ts";
import type { Arrival, Gate } from "./admit-request.ts";
import type { Metrics } from "../metrics/metrics.ts";

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface GuardedListenerOptions {
  readonly gate: Gate;
  /** Where it is put down for those behind how an admitted request arrived. */
  readonly arrivals: WeakMap<IncomingMessage, Arrival>;
  /** Base address for the links of refusals. */
  readonly base: string;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  readonly next: RequestListener;
}

/** Lets admitted requests through to `next`, with the prefix of the base address taken off, and answers all others. */
export function guardedListener(options: GuardedListenerOptions): RequestListener {
  return (request, response) => {
    lingerOverUnreadBody(request, response);
    void admitOrAnswer(request, response, options);
  };
}

async function admitOrAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, arrivals, base, metrics, audit, next }: GuardedListenerOptions,
): Promise<void> {
  const admission = await admitRequest(request, gate);
  if (admission.kind === "refused") {
    auditEarlyRefusal(audit, { refusal: admission.refusal, request, action: "request" });
    writeRefusal(admission.refusal, request, response, base);
    metrics.observe({ method: request.method ?? "", route: "refused", status: response.statusCode, seconds: 0 });
    return;
  }
  arrivals.set(request, admission.arrival);
  request.url = admission.target;
  next(request, response);
}
