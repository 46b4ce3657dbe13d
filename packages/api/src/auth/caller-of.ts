import type { Caller } from "@weft/engine/port/caller.ts";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import type { WesDocumentRole } from "@weft/shared/records/wes-document-record.ts";
import { credentialOf } from "./tokens/named-token.ts";
import type { Identity } from "../http/identity.ts";

/** Principal of requests without a signed-in caller, which may use only the public routes. */
export const NOBODY = "anonymous";

/** Rights that the server's settings grant. */
export interface Grants {
  /** True if non-admins see only their own runs. */
  readonly privateRuns: boolean;
  /** The role that may add documents through WES; undefined: nobody may. */
  readonly wesDocuments?: WesDocumentRole | undefined;
}

/** The caller as the engine knows them. Admins may change all runs; others may at most see the runs of other users. */
export function callerOf(identity: Identity | Refusal, base: string, { privateRuns, wesDocuments }: Grants): Caller {
  const links = createLinks(base);
  const others = privateRuns ? "hidden" : "visible";
  if (identity instanceof Refusal) return { principal: NOBODY, links, othersRuns: others };
  const { principal, role, tokenHash } = identity;
  const credential = tokenHash === undefined ? undefined : credentialOf(tokenHash);
  const mayAddDocuments = wesDocuments !== undefined && roleIncludes(role, wesDocuments);
  return { principal, credential, links, othersRuns: role === "admin" ? "changeable" : others, mayAddDocuments };
}
