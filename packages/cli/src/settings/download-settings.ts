import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import { allowHosts } from "@weft/engine/files/remote/http-policy.ts";
import type { HttpPolicy } from "@weft/engine/files/remote/http-policy.ts";
import type { Settings } from "./read-settings.ts";
import { UsageError } from "../exit/usage-error.ts";

/** `example.org`, `*.example.org`, `127.0.0.1`, `[::1]`, or `*` for every host outside this machine and network. */
const HOST = /^(?:\*|(?:\*\.)?[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

/** The settings for downloads of remote files. `fallback`: the allowed hosts without `--allow-http`. */
export function downloadSettings(settings: Settings, fallback: HttpPolicy): DownloadSettings {
  const hosts = hostList(settings, "allow-http");
  const allowed = hosts.filter((host) => host !== "none");
  return {
    ...DEFAULT_DOWNLOADS,
    policy: hosts.length === 0 ? fallback : allowHosts(allowed),
    maxBytes: settings.count("max-download-bytes", 1) ?? DEFAULT_DOWNLOADS.maxBytes,
  };
}

/** The hosts that a flag lists; the word `none` is returned like a host. */
export function hostList(settings: Pick<Settings, "list">, flag: string): readonly string[] {
  const hosts = settings.list(flag).flatMap((text) => text.split(",").map((host) => host.trim()));
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong === undefined) return hosts;
  throw new UsageError(`--${flag} takes hosts such as data.example.org, *.example.org, * or none, not "${wrong}"`);
}
