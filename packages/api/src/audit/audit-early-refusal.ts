import type { IncomingMessage } from "node:http";
import { PROBLEMS } from "@weft/shared/records/refusal.ts";
import type { Refusal } from "@weft/shared/records/refusal.ts";
import { NOBODY } from "../auth/caller-of.ts";
import type { AuditLog } from "./audit-log.ts";
import { isAuditedRefusal } from "./is-audited-refusal.ts";

export interface EarlyRefusal {
  readonly refusal: Refusal;
  readonly request: IncomingMessage;
  readonly action: "request" | "upgrade";
}

/** Records requests that the guard refuses before they are read, and refused upgrades. */
export function auditEarlyRefusal(audit: AuditLog, { refusal, request, action }: EarlyRefusal): void {
  const { status } = PROBLEMS[refusal.code];
  if (!isAuditedRefusal(status)) return;
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
