import type { OidcOptions } from "@weft/api/auth/oidc/oidc-verifier.ts";
import { ROLES } from "@weft/shared/records/role.ts";
import type { Role } from "@weft/shared/records/role.ts";
import { OIDC_FLAGS } from "./flags.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** The identity provider whose tokens count. */
export function oidcSettings(settings: Settings): OidcOptions {
  return {
    issuer: required(settings, "oidc-issuer"),
    audience: required(settings, "oidc-audience"),
    nameClaim: settings.text("oidc-name-claim") ?? "sub",
    roleClaim: settings.text("oidc-role-claim") ?? "roles",
    roleMap: readRoleMap(settings.list("oidc-role-map")),
  };
}

/** Flags of a provider that nobody would ask. */
export function refuseOidcFlags(settings: Settings): void {
  for (const flag of OIDC_FLAGS)
    if (settings.list(flag.name()).length > 0) throw new UsageError(`--${flag.name()} is for --auth oidc`);
}

function required(settings: Settings, flag: string): string {
  const text = settings.text(flag);
  if (text === undefined || text === "") throw new UsageError(`--auth oidc needs --${flag}`);
  return text;
}

/** `ROLE=VALUE`; without any the claim holds our own names of roles. */
function readRoleMap(texts: readonly string[]): ReadonlyMap<string, Role> {
  if (texts.length === 0) return new Map(ROLES.map((role) => [role, role]));
  return new Map(
    texts.map((text) => {
      const [name, ...value] = text.split("=");
      const role = ROLES.find((candidate) => candidate === name);
      if (role !== undefined && value.join("=") !== "") return [value.join("="), role] as const;
      throw new UsageError(`--oidc-role-map must be ROLE=VALUE with ${ROLES.join(", ")} as ROLE, not "${text}"`);
    }),
  );
}
