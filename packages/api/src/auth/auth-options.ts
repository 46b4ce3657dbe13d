import type { OidcOptions } from "./oidc/oidc-verifier.ts";

/** Tokens of this server: the access token, and the folder of named ones. */
export interface OwnTokens {
  readonly token: string;
  /** The named tokens; without them, there is only the access token. */
  readonly namedTokens?: string;
}

/**
 * Which callers are accepted. `none`: no login; only on loopback, and only processes of this account, of root and of
 * `peerUsers` (uids, for a reverse proxy), unless all accounts are accepted. `token`: callers with the access token or a
 * named token, and browsers that signed in with one. `oidc`: also callers with a token of an identity provider.
 */
export type AuthOptions =
  | { readonly mode: "none"; readonly peerUsers?: readonly number[]; readonly everyone?: boolean }
  | ({ readonly mode: "token" } & OwnTokens)
  | ({ readonly mode: "oidc"; readonly oidc: OidcOptions } & OwnTokens);
