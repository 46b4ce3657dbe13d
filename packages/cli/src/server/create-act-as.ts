import type { AuthOptions } from "@weft/api/auth/auth-options.ts";
import { callerOf } from "@weft/api/auth/caller-of.ts";
import { NamedTokens } from "@weft/api/auth/tokens/named-tokens.ts";
import { credentialOf, endOf, type NamedToken } from "@weft/api/auth/tokens/named-token.ts";
import type { Log } from "@weft/engine/log.ts";
import type { ActAs, Grant } from "@weft/engine/port/caller.ts";
import type { Role } from "@weft/shared/records/role.ts";

export interface ActAsOptions {
  readonly auth: AuthOptions;
  readonly privateRuns: boolean;
  /** Public address of the server, for links. */
  readonly base: string;
  readonly log: Log;
}

/** Principal of the access token, and of everyone if there is no login. */
const LOCAL = "local";

/**
 * The current rights of users for whom the server acts while they are away: those of their token. A user of an identity
 * provider has none here, because only that user's own token shows their current role.
 */
export function createActAs({ auth, privateRuns, base, log }: ActAsOptions): ActAs {
  const folder = auth.mode === "none" ? undefined : auth.namedTokens;
  const tokens = folder === undefined ? undefined : new NamedTokens({ folder, log });
  const roleOf = (grant: Grant): Role | undefined => {
    if (grant.owner === LOCAL) return "admin";
    const token = tokens?.findByName(grant.owner);
    if (token === undefined || !isOf(token, grant)) return undefined;
    const end = endOf(token);
    return end !== undefined && Date.now() >= end ? undefined : token.role;
  };
  return (grant) => {
    const { owner: principal } = grant;
    const role = roleOf(grant);
    if (role === undefined) return undefined;
    return { role, caller: callerOf({ principal, role }, base, { privateRuns }) };
  };
}

/** Whether a grant was made with a token. A grant recorded without a token must not be older than the token. */
function isOf(token: NamedToken, { credential, createdMs }: Grant): boolean {
  if (credential === null) return Date.parse(token.created_at) <= createdMs;
  return credential === credentialOf(token.sha256);
}
