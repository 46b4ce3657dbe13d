import type { AuthOptions } from "@weft/api/auth/auth-options.ts";
import { callerOf } from "@weft/api/auth/caller-of.ts";
import { NamedTokens } from "@weft/api/auth/tokens/named-tokens.ts";
import { endOf } from "@weft/api/auth/tokens/named-token.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Standing } from "@weft/engine/port/engine.ts";
import type { Role } from "@weft/shared/records/role.ts";

export interface StandingOptions {
  readonly auth: AuthOptions;
  readonly privateRuns: boolean;
  /** Public address of the server, for links. */
  readonly base: string;
  readonly log: Log;
}

/** Principal of the access token, and of everyone if there is no login. */
const LOCAL = "local";

/**
 * The present rights of people for whom the server acts while they are away: those of their token. A person of an identity
 * provider has none here, because only their own token says which role they have now.
 */
export function createStandings({
  auth,
  privateRuns,
  base,
  log,
}: StandingOptions): (principal: string) => Standing | undefined {
  const folder = auth.mode === "none" ? undefined : auth.namedTokens;
  const tokens = folder === undefined ? undefined : new NamedTokens({ folder, log });
  const roleOf = (principal: string): Role | undefined => {
    if (principal === LOCAL) return "admin";
    const token = tokens?.findByName(principal);
    const end = token === undefined ? undefined : endOf(token);
    return token === undefined || (end !== undefined && Date.now() >= end) ? undefined : token.role;
  };
  return (principal) => {
    const role = roleOf(principal);
    if (role === undefined) return undefined;
    return { role, caller: callerOf({ principal, role }, base, { privateRuns }) };
  };
}
