import type { Links } from "@weft/shared/links.ts";
import type { Role } from "@weft/shared/records/role.ts";

/** The caller, and the base URL for links in the answer. */
export interface Caller {
  /** Recorded as owner and actor. */
  readonly principal: string;
  readonly links: Links;
  /** The caller's access to other people's runs: `hidden` runs do not exist for them, `visible` runs are read-only. */
  readonly othersRuns: "hidden" | "visible" | "changeable";
  /** ID of the named token that the caller used; absent: the caller used another proof. */
  readonly credential?: string | undefined;
  /** Whether the caller may add documents through WES, and run those that nobody has approved. Absent: no. */
  readonly mayAddDocuments?: boolean;
}

/** A user for whom the server acts during their absence, with their present rights. */
export interface AbsentUser {
  readonly caller: Caller;
  readonly role: Role;
}

/** Something that the server does for its owner, who made it with one token. */
export interface Grant {
  readonly owner: string;
  /** ID of the token; null: it was made without a named token, or before Weft recorded which. */
  readonly credential: string | null;
  readonly createdMs: number;
}

/**
 * The current rights of an owner; undefined if they may no longer use the server, or if the token is a different one
 * than when the grant was made, even if both have the same name.
 */
export type ActAs = (grant: Grant) => AbsentUser | undefined;
