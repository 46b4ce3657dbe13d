import { readFile } from "node:fs/promises";
import { openAccessToken } from "@weft/api/auth/access-token.ts";
import type { AuthOptions } from "@weft/api/auth/auth-options.ts";
import type { ServerOptions } from "@weft/api/server-options.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "./usage-error.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];

/** Who is answered, and which proxies are believed. The state folder, which holds the access token, must be open already. */
export async function readAccess(
  settings: Settings,
  stateFolder: string,
): Promise<Pick<ServerOptions, "auth" | "behindProxy" | "trustedProxies">> {
  const behindProxy = settings.isOn("behind-proxy");
  const trustedProxies = [...settings.list("trust-proxy"), ...(behindProxy ? LOOPBACK : [])];
  return { auth: await readAuth(settings, stateFolder), behindProxy, trustedProxies };
}

async function readAuth(settings: Settings, stateFolder: string): Promise<AuthOptions> {
  const mode = settings.text("auth") ?? "none";
  const users = settings.list("peer-user");
  if (mode === "none") return { mode, peerUsers: await Promise.all(users.map(uidOf)) };
  if (mode !== "token") throw new UsageError(`--auth must be none or token, not "${mode}"`);
  if (users.length > 0) throw new UsageError("--peer-user is for --auth none; with a token every account may ask");
  return { mode, token: await openAccessToken(stateFolder) };
}

/** Names are looked up in /etc/passwd, where the accounts of services are. */
async function uidOf(user: string): Promise<number> {
  if (/^\d{1,10}$/.test(user)) return Number(user);
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = accounts.split("\n").map((line) => line.split(":"));
  const uid = fields.find(([name]) => name === user)?.[2];
  if (uid !== undefined) return Number(uid);
  throw new UsageError(`--peer-user: /etc/passwd has no account "${user}"; give its number (id -u ${user})`);
}
