import { LOCAL_BACKEND, type BackendSettings } from "@weft/engine/executor/backends/backend-settings.ts";
import { DEFAULT_DOWNLOADS } from "@weft/engine/files/remote/download-store.ts";
import type { DownloadSettings } from "@weft/engine/files/remote/download.ts";
import { allowHosts, ANY_HOST, type HttpPolicy } from "@weft/engine/files/remote/http-policy.ts";
import { DEFAULT_LIMITS, LIMIT_NAMES, leastOf, limitFlag, type Limits } from "@weft/shared/limits.ts";
import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import { CONTAINER_SETTINGS, type ContainerSetting } from "@weft/shared/records/container-record.ts";
import { SANDBOX_SETTINGS, type SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { UsageError } from "../exit/exit.ts";
import { oneOf, type Settings } from "./read-settings.ts";
import { VERSION } from "./version.ts";

/**
 * The settings that all commands that run jobs share. Without flags, jobs have this `sandbox` and inputs may come from
 * hosts that `downloads` allows.
 */
export async function executionSettings(settings: Settings, sandbox: SandboxSetting, downloads = ANY_HOST) {
  const evalTimeoutS = settings.count("eval-timeout", 1);
  return {
    version: VERSION,
    jobs: settings.count("jobs", 1),
    backend: await backendSetting(settings),
    container: containerSetting(settings),
    jobSandbox: oneOf("sandbox", settings.text("sandbox") ?? sandbox, SANDBOX_SETTINGS),
    evalTimeoutMs: evalTimeoutS === undefined ? undefined : evalTimeoutS * 1000,
    limits: limitSettings(settings),
    downloadSettings: downloadSettings(settings, downloads),
  };
}

/** `--backend local|slurm|tes`, and the sections `slurm` and `tes` of weft.config.json. */
export async function backendSetting(
  settings: Pick<Settings, "text" | "section" | "resolve">,
): Promise<BackendSettings> {
  const backend = oneOf("backend", settings.text("backend") ?? "local", BACKEND_KINDS);
  const sections = [settings.section("slurm"), settings.section("tes")];
  if (backend === "local" && sections.every((section) => section === undefined)) return LOCAL_BACKEND;
  // Checking the sections loads zod, which takes a fifth of the start of a command that needs neither.
  const { readBackends } = await import("./backend-sections.ts");
  return readBackends(backend, settings);
}

/** `--container ENGINE`, or `--no-container`, which means `none` and takes precedence. */
function containerSetting(settings: Settings): ContainerSetting {
  if (settings.isOn("no-container")) return "none";
  return oneOf("container", settings.text("container") ?? "auto", CONTAINER_SETTINGS);
}

/** The limits, as changed by `--limit NAME=N`; the last value for a name wins. */
function limitSettings(settings: Settings): Limits {
  const changes = settings.list("limit").map((text) => {
    const [, flag, value] = /^([a-z-]+)=(\d+)$/.exec(text) ?? [];
    const name = LIMIT_NAMES.find((known) => limitFlag(known) === flag);
    const least = name === undefined ? 1 : leastOf(name);
    if (name !== undefined && value !== undefined && Number(value) >= least && Number.isSafeInteger(Number(value)))
      return [name, Number(value)] as const;
    throw new UsageError(
      `--limit takes NAME=N with a whole number N of at least ${least}, not "${text}"; the names are ${LIMIT_NAMES.map(limitFlag).join(", ")}`,
    );
  });
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(changes) };
}

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
