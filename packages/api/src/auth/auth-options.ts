/**
 * Who is answered. `none`: no login; loopback only, and only processes of this account, of root and of `peerUsers`
 * (uids, for a reverse proxy). `token`: whoever has the access token, or a browser that was signed in with it.
 */
export type AuthOptions =
  | { readonly mode: "none"; readonly peerUsers?: readonly number[] }
  | { readonly mode: "token"; readonly token: string };
