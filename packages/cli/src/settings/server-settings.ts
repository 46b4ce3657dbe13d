import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AuthOptions } from "@weft/api/auth/auth-options.ts";
import type { OidcOptions } from "@weft/api/auth/oidc/oidc-verifier.ts";
import { openAccessToken } from "@weft/api/auth/tokens/access-token.ts";
import { tokenFolderPath } from "@weft/api/auth/tokens/token-folder.ts";
import type { ServerOptions } from "@weft/api/server-options.ts";
import type { EngineOptions } from "@weft/engine/app/engine-options.ts";
import { isBelow } from "@weft/engine/files/is-below.ts";
import { allowHosts, WEBHOOKS } from "@weft/engine/files/remote/http-policy.ts";
import { DEFAULT_TIMEOUTS, type HttpSettings } from "@weft/engine/files/remote/http-settings.ts";
import type { MailSettings } from "@weft/engine/port/notification-settings.ts";
import { parseRunName, RUN_NAME_FIELDS, type RunNameTemplates } from "@weft/engine/runs/begin/run-name.ts";
import { ROLES, type Role } from "@weft/shared/records/role.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { WES_DOCUMENT_ROLES, type WesDocumentRole } from "@weft/shared/records/wes-document-record.ts";
import { fieldsHint } from "@weft/shared/text/name-template.ts";
import { UsageError } from "../exit/exit.ts";
import { readFolders } from "./data-folders.ts";
import { OIDC_FLAGS } from "./flags.ts";
import { hostList } from "./execution-settings.ts";
import { oneOf, type Settings } from "./read-settings.ts";

/** The folders of `--sink NAME=DIR`. Outputs of runs must not mix with the server's own files in its state folder. */
export function readSinkFolders(settings: Settings): Record<string, string> {
  const stateFolder = settings.stateFolder();
  const folders = readFolders(settings, "sink");
  for (const [name, folder] of Object.entries(folders)) {
    const real = realpathSync(folder);
    if (isBelow(stateFolder, real) || isBelow(real, stateFolder))
      throw new UsageError(`--sink ${name}=${folder} overlaps the state folder ${stateFolder}; choose another folder`);
  }
  return folders;
}

/** `--run-name TEMPLATE` for all networks and tools, `--run-name ID=TEMPLATE` for one. */
export function runNameSettings(settings: Pick<Settings, "list">): RunNameTemplates {
  const entries = settings.list("run-name").map((text) => {
    const [, id = "", written = text] = /^([a-z0-9][a-z0-9._-]*)=(.*)$/s.exec(text) ?? [];
    const template = parseRunName(written);
    if (typeof template === "string") throw new UsageError(`--run-name ${template}; ${fieldsHint(RUN_NAME_FIELDS)}`);
    return [id, template] as const;
  });
  return Object.fromEntries(entries);
}

export interface WesDocumentSettings {
  readonly role: WesDocumentRole;
  readonly hosts: readonly string[];
}

/**
 * The role that may send documents through WES, and their allowed origins. Undefined: only documents of the catalog
 * may run. A document from outside determines which commands run, so every job must be isolated: in a container, or in
 * a sandbox that must work.
 */
export function wesDocumentSettings(
  settings: Pick<Settings, "text" | "list">,
  sandbox: SandboxSetting,
): WesDocumentSettings | undefined {
  const text = settings.text("wes-documents");
  const hosts = namedHosts(settings, "wes-hosts");
  if (text === undefined) {
    if (hosts.length > 0) throw new UsageError("--wes-hosts requires --wes-documents admin or author");
    return undefined;
  }
  const role = oneOf("wes-documents", text, WES_DOCUMENT_ROLES);
  if (sandbox !== "required")
    throw new UsageError("--wes-documents requires --sandbox required: documents from outside must run isolated");
  return { role, hosts };
}

/** Messages that the server may send to subscribers: none without flags. */
export function notificationSettings(settings: Settings): NonNullable<EngineOptions["notifications"]> {
  return { webhooks: webhookSettings(settings), mail: mailSettings(settings) };
}

function webhookSettings(settings: Settings): HttpSettings | undefined {
  const hosts = namedHosts(settings, "webhook-hosts");
  if (hosts.length === 0) return undefined;
  return { ...DEFAULT_TIMEOUTS, policy: allowHosts(hosts, WEBHOOKS), environment: settings.io.env };
}

function namedHosts(settings: Pick<Settings, "list">, flag: string): readonly string[] {
  return hostList(settings, flag).filter((host) => host !== "none");
}

function mailSettings(settings: Settings): MailSettings | undefined {
  const [url, from] = [settings.text("smtp-url"), settings.text("mail-from")];
  const entries = settings.list("mail-domains").flatMap((text) => text.split(","));
  if (url === undefined || url === "") {
    if (from !== undefined || entries.length > 0)
      throw new UsageError("--mail-from and --mail-domains require --smtp-url");
    return undefined;
  }
  const [, own] = /^[^@\s]+@([A-Za-z0-9.-]+)$/.exec(from ?? "") ?? [];
  if (from === undefined || own === undefined)
    throw new UsageError("--smtp-url requires --mail-from with an address such as weft@lab.example");
  const domains = entries.map((domain) => domain.trim().toLowerCase()).filter((domain) => domain !== "");
  return { ...readSmtpUrl(url), from, domains: domains.length > 0 ? domains : [own.toLowerCase()] };
}

/** The error message never repeats the URL, which may contain a password. */
function readSmtpUrl(text: string): Pick<MailSettings, "host" | "port" | "secure" | "auth"> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    throw new UsageError("--smtp-url must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT");
  const secure = url.protocol === "smtps:";
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(auth.user === "" ? {} : { auth }),
  };
}

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
  const mode = oneOf("auth", settings.text("auth") ?? "none", ["none", "token", "oidc"]);
  const users = settings.list("peer-user");
  if (mode !== "oidc") refuseOidcFlags(settings);
  const everyone = settings.isOn("let-everybody-in");
  if (mode === "none") return { mode, everyone, peerUsers: await Promise.all(users.map(uidOf)) };
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
