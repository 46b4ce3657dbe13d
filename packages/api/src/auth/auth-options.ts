import type { OidcOptions } from "./oidc/oidc-verifier.ts";

/** Tokens of this server: the access token, and the folder of named ones. */
export interface OwnTokens {
  readonly token: string;
  /** Absent: there is only the access token. */
  readonly namedTokens?: string;
}

/**
 * Who is answered. `none`: no login; loopback only, and only processes of this account, of root and of `peerUsers`
 * (uids, for a reverse proxy), unless everybody is let in. `token`: whoever has the access token or a named one, or a
 * browser that was signed in with one. `oidc`: besides, whoever has a token of an identity provider.
 */
export type AuthOptions =
  | { readonly mode: "none"; readonly peerUsers?: readonly number[]; readonly everybody?: boolean }
  | ({ readonly mode: "token" } & OwnTokens)
  | ({ readonly mode: "oidc"; readonly oidc: OidcOptions } & OwnTokens);
