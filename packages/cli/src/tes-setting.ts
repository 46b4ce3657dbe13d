import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { DEFAULT_TES } from "@weft/engine/executor/tes/tes-settings.ts";
import type { TesSettings } from "@weft/engine/executor/tes/tes-settings.ts";
import type { ConfigSection } from "./config-section.ts";

/** What the section `tes` of weft.config.json says of the server; `rules` are read by others. */
export function tesSetting(section: ConfigSection): TesSettings {
  return {
    url: urlOf(section),
    tokenFile: tokenFileOf(section),
    defaultImage: section.text("default_image"),
    pollMs: (section.number("poll_seconds", 0.1) ?? DEFAULT_TES.pollMs / 1000) * 1000,
    maxJobs: section.whole("max_jobs", 1) ?? DEFAULT_TES.maxJobs,
    latencyMs: (section.number("shared_folder_latency_seconds", 0) ?? DEFAULT_TES.latencyMs / 1000) * 1000,
    requestMs: (section.number("request_timeout_seconds", 1) ?? DEFAULT_TES.requestMs / 1000) * 1000,
    storage: storageOf(section),
  };
}

function urlOf(section: ConfigSection): string | undefined {
  const url = section.text("url");
  if (url === undefined || (URL.canParse(url) && /^https?:\/\//.test(url) && !/[?#]/.test(url))) return url;
  throw section.wrong("url", "must be the http(s) address of the API, such as https://tes.example.org/ga4gh/tes/v1");
}

function tokenFileOf(section: ConfigSection): string | undefined {
  const file = section.text("token_file");
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw section.wrong("token_file", `names a file that is not there: ${resolve(file)}`);
  return resolve(file);
}

function storageOf(section: ConfigSection): TesSettings["storage"] {
  const storage = section.section("storage");
  const places = storage.keys().map((folder) => {
    if (!isAbsolute(folder)) throw storage.wrong(folder, "must be an absolute path");
    const url = storage.text(folder) ?? "";
    if (!URL.canParse(url)) throw storage.wrong(folder, "must be an address, such as file:///mnt/weft");
    return [resolve(folder), url] as const;
  });
  return Object.fromEntries(places);
}
