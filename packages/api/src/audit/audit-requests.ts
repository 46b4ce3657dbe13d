import type { Next } from "koa";
import { NOBODY } from "../auth/caller-of.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import type { AuditedRequest, AuditLog } from "./audit-log.ts";
import { isAuditedRefusal } from "./is-audited-refusal.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Records changes before they are answered, and refusals. Wraps all middleware that can refuse a request. */
export function auditRequests(audit: AuditLog): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    await next();
    const isChange = !READS.has(ctx.method) && ctx.state.isUnaudited !== true;
    if (ctx.status < 400) {
      if (isChange) await audit.accepted(auditedRequest(ctx));
    } else if (isChange || isAuditedRefusal(ctx.status)) {
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
