import { Refusal } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { Identity } from "../http/identity.ts";

/** Refuses what the role of whoever asks does not include. Who asks is known behind the login. */
export function requireRole(identity: Identity | Refusal, { access, summary }: RouteDeclaration): void {
  if (access === "open") return;
  if (identity instanceof Refusal) throw identity;
  const { principal, role } = identity;
  if (roleIncludes(role, access)) return;
  throw new Refusal("forbidden", `"${summary}" needs the role ${access}; ${principal} has the role ${role}`);
}
