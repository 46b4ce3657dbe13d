import type { Role } from "@weft/shared/records/role.ts";

/** The caller and their permissions. */
export interface Identity {
  /** Whom what they do is recorded as; owner of the runs that they start. */
  readonly principal: string;
  readonly role: Role;
  /** When it stops counting (wall-clock milliseconds); absent: with the server's access token. */
  readonly endMs?: number;
  /** The named token that it rests on: its hash, so that one of the same name made later is another. */
  readonly tokenHash?: string;
}
