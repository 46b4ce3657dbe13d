import { Refusal } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { Identity } from "../http/identity.ts";

/** Refuses requests that the caller's role does not include. Runs after the login, which identifies the caller. */
export function requireRole(identity: Identity | Refusal, { access, summary }: RouteDeclaration): void {
  if (access === "open") return;
  if (identity instanceof Refusal) throw identity;
  const { principal, role } = identity;
  if (roleIncludes(role, access)) return;
  throw new Refusal("forbidden", `"${summary}" needs the role ${access}; ${principal} has the role ${role}`);
}
