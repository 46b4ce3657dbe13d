import type { IncomingMessage } from "node:http";
import type { Next } from "koa";
import { NOBODY } from "../auth/caller-of.ts";
import { PROBLEMS, Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import type { AuditedRequest, AuditLog } from "./audit-log.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Refusals that are recorded even for reads: unauthenticated, forbidden, misdirected and rate-limited. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** Records changes before they are answered, and refusals. Wraps all middleware that can refuse a request. */
export function auditRequests(audit: AuditLog): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    await next();
    const isChange = !READS.has(ctx.method) && ctx.state.isUnaudited !== true;
    if (ctx.status < 400) {
      if (isChange) await audit.accepted(auditedRequest(ctx));
    } else if (isChange || AUDITED.has(ctx.status)) {
      audit.refused(auditedRequest(ctx));
    }
  };
}

/** The request of a context, as the audit log records it. */
export function auditedRequest(ctx: Context): AuditedRequest {
  const { identity, signedIn, client, requestId, operationId, auditedAs, refusedAs } = ctx.state;
  const who = signedIn ?? (identity instanceof Refusal ? undefined : identity);
  return {
    principal: who?.principal ?? NOBODY,
    role: who?.role ?? null,
    client,
    action: auditedAs ?? operationId ?? "request",
    method: ctx.method,
    path: ctx.path,
    status: ctx.status,
    code: refusedAs ?? null,
    target: URL.parse(ctx.response.get("Location"))?.pathname ?? null,
    request_id: requestId,
  };
}

export interface EarlyRefusal {
  readonly refusal: Refusal;
  readonly request: IncomingMessage;
  readonly action: "request" | "upgrade";
}

/** Records requests that the guard refuses before they are read, and refused upgrades. */
export function auditEarlyRefusal(audit: AuditLog, { refusal, request, action }: EarlyRefusal): void {
  const { status } = PROBLEMS[refusal.code];
  if (!AUDITED.has(status)) return;
  const [path = ""] = (request.url ?? "").split("?", 1);
  audit.refused({
    principal: NOBODY,
    role: null,
    client: request.socket.remoteAddress ?? "",
    action,
    method: request.method ?? "",
    path,
    status,
    code: refusal.code,
    target: refusal.message,
    request_id: null,
  });
}
