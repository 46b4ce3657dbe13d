import type { Role } from "@weft/shared/records/role.ts";

/** The caller and their permissions. */
export interface Identity {
  /** Name under which actions are recorded; owner of the runs that the caller starts. */
  readonly principal: string;
  readonly role: Role;
  /** When the sign-in expires (wall-clock milliseconds); absent: with the server's access token. */
  readonly endMs?: number;
  /** Hash of the named token behind the identity, so that a later token of the same name is not mistaken for it. */
  readonly tokenHash?: string;
}
