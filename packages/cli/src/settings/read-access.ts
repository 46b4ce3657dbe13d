import { readFile } from "node:fs/promises";
import { openAccessToken } from "@weft/api/auth/tokens/access-token.ts";
import type { AuthOptions } from "@weft/api/auth/auth-options.ts";
import { tokenFolderPath } from "@weft/api/auth/tokens/token-folder.ts";
import type { ServerOptions } from "@weft/api/server-options.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/exit.ts";
import type { OidcOptions } from "@weft/api/auth/oidc/oidc-verifier.ts";
import { ROLES } from "@weft/shared/records/role.ts";
import type { Role } from "@weft/shared/records/role.ts";
import { OIDC_FLAGS } from "./flags.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];

export interface Access extends Pick<ServerOptions, "privateRuns" | "workbench" | "behindProxy" | "trustedProxies"> {
  readonly auth: AuthOptions;
}

/**
 * Callers that the server accepts, and proxies that it trusts. The state folder, which holds the access token, must be
 * open already.
 */
export async function readAccess(settings: Settings): Promise<Access> {
  const behindProxy = settings.isOn("behind-proxy");
  const trustedProxies = [...settings.list("trust-proxy"), ...(behindProxy ? LOOPBACK : [])];
  const auth = await readAuth(settings);
  const privateRuns = settings.isOn("private-runs");
  if (privateRuns && auth.mode === "none")
    throw new UsageError("--private-runs requires a login; add --auth token or --auth oidc");
  return { auth, privateRuns, workbench: !settings.isOn("no-workbench"), behindProxy, trustedProxies };
}

async function readAuth(settings: Settings): Promise<AuthOptions> {
  const stateFolder = settings.stateFolder();
  const mode = settings.text("auth") ?? "none";
  const users = settings.list("peer-user");
  if (mode !== "oidc") refuseOidcFlags(settings);
  const everyone = settings.isOn("let-everybody-in");
  if (mode === "none") return { mode, everyone, peerUsers: await Promise.all(users.map(uidOf)) };
  if (mode !== "token" && mode !== "oidc") throw new UsageError(`--auth must be none, token or oidc, not "${mode}"`);
  if (users.length > 0)
    throw new UsageError("--peer-user requires --auth none; with a login, every account may connect");
  if (everyone) throw new UsageError("--let-everybody-in requires --auth none; with a login, a token is required");
  const own = { token: await openAccessToken(stateFolder), namedTokens: tokenFolderPath(stateFolder) };
  return mode === "token" ? { mode, ...own } : { mode, oidc: oidcSettings(settings), ...own };
}

/** Looks up names in /etc/passwd, where the accounts of services are. */
async function uidOf(user: string): Promise<number> {
  if (/^\d{1,10}$/.test(user)) return Number(user);
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = accounts.split("\n").map((line) => line.split(":"));
  const uid = fields.find(([name]) => name === user)?.[2];
  if (uid !== undefined) return Number(uid);
  throw new UsageError(`--peer-user: account "${user}" not found in /etc/passwd; use its numeric ID (id -u ${user})`);
}

/** The identity provider whose tokens the server accepts. */
function oidcSettings(settings: Settings): OidcOptions {
  return {
    issuer: required(settings, "oidc-issuer"),
    audience: required(settings, "oidc-audience"),
    nameClaim: settings.text("oidc-name-claim") ?? "sub",
    roleClaim: settings.text("oidc-role-claim") ?? "roles",
    roleMap: readRoleMap(settings.list("oidc-role-map")),
  };
}

/** Refuses flags of an identity provider that the server would not use. */
function refuseOidcFlags(settings: Settings): void {
  for (const flag of OIDC_FLAGS)
    if (settings.list(flag.name()).length > 0) throw new UsageError(`--${flag.name()} requires --auth oidc`);
}

function required(settings: Settings, flag: string): string {
  const text = settings.text(flag);
  if (text === undefined || text === "") throw new UsageError(`--auth oidc requires --${flag}`);
  return text;
}

/** Reads `ROLE=VALUE` flags; without any, the claim contains Weft's own role names. */
function readRoleMap(texts: readonly string[]): ReadonlyMap<string, Role> {
  if (texts.length === 0) return new Map(ROLES.map((role) => [role, role]));
  return new Map(
    texts.map((text) => {
      const [name, ...value] = text.split("=");
      const role = ROLES.find((candidate) => candidate === name);
      if (role !== undefined && value.join("=") !== "") return [value.join("="), role] as const;
      throw new UsageError(`--oidc-role-map must be ROLE=VALUE with ${ROLES.join(", ")} as ROLE, not "${text}"`);
    }),
  );
}
