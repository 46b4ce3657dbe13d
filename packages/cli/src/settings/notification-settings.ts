import type { EngineOptions } from "@weft/engine/app/engine-options.ts";
import { allowHosts, WEBHOOKS } from "@weft/engine/files/remote/http-policy.ts";
import { DEFAULT_TIMEOUTS } from "@weft/engine/files/remote/http-settings.ts";
import type { HttpSettings } from "@weft/engine/files/remote/http-settings.ts";
import type { MailSettings } from "@weft/engine/port/notification-settings.ts";
import { UsageError } from "../exit/usage-error.ts";
import { hostList } from "./download-settings.ts";
import type { Settings } from "./read-settings.ts";

/** Messages that the server may send to subscribers: none without flags. */
export function notificationSettings(settings: Settings): NonNullable<EngineOptions["notifications"]> {
  return { webhooks: webhookSettings(settings), mail: mailSettings(settings) };
}

function webhookSettings(settings: Settings): HttpSettings | undefined {
  const hosts = hostList(settings, "webhook-hosts").filter((host) => host !== "none");
  if (hosts.length === 0) return undefined;
  return { ...DEFAULT_TIMEOUTS, policy: allowHosts(hosts, WEBHOOKS), environment: settings.io.env };
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
