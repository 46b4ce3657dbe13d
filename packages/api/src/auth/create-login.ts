import type { Log } from "@weft/engine/log.ts";
import { Login } from "./login.ts";
import type { LoginOptions } from "./login.ts";
import { NamedTokens } from "./tokens/named-tokens.ts";

export interface CreateLoginOptions extends Omit<LoginOptions, "namedTokens"> {
  readonly log: Log;
  /** Records that tokens were added or removed while the server runs. */
  readonly audit: { note(action: string, target: string): Promise<void> };
}

/** Creates the login, with the named tokens of its folder if there is one. */
export function createLogin({ log, audit, ...options }: CreateLoginOptions): Login {
  const folder = options.auth.mode === "none" ? undefined : options.auth.namedTokens;
  if (folder === undefined) return new Login({ ...options, namedTokens: undefined });
  const namedTokens = new NamedTokens({
    folder,
    log,
    changed: (change, { name, role }) => void audit.note(`token.${change}`, `${name} (${role})`),
  });
  return new Login({ ...options, namedTokens });
}
